import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { writerOf } from '../audit/record-change.ts';
import { Organization } from './organization.graphql.ts';
import { readRetentionSettings, type RetentionSettings as Settings } from './retention-settings.ts';
import { setRetentionSettings } from './set-retention-settings.ts';

const keepsConversations =
  'Whether people can keep conversations. If not, runs are still possible, but none is added to a conversation.';
const retentionDays =
  'Days after its last message until a conversation is deleted, with its attachments.';
const keepsRunContent =
  'Whether the content of durable runs that end from now on is kept for `retentionDays`, unless `redactsContent` is true. Otherwise it is deleted after hours. Other runs keep no content.';
const redactsContent =
  'Whether e-mail addresses and numbers are replaced in what is kept. Attachments are then not kept.';

const RetentionSettings = builder.objectRef<Settings>('RetentionSettings').implement({
  description: 'What an organization keeps of conversations and runs, and how long.',
  fields: (t) => ({
    keepsConversations: t.exposeBoolean('keepsConversations', { description: keepsConversations }),
    retentionDays: t.exposeInt('retentionDays', { description: retentionDays }),
    keepsRunContent: t.exposeBoolean('keepsRunContent', { description: keepsRunContent }),
    redactsContent: t.exposeBoolean('redactsContent', { description: redactsContent }),
  }),
});

builder.prismaObjectField(Organization, 'retention', (t) =>
  t.field({
    type: RetentionSettings,
    description: 'What the organization keeps of conversations and runs, and how long.',
    select: {
      keepsConversations: true,
      retentionDays: true,
      keepsRunContent: true,
      redactsContent: true,
    },
    resolve: (settings) => settings,
  }),
);

mutation('setRetentionSettings', {
  description:
    'Changes what the organization keeps of conversations and runs, and how long. Omitted fields stay as they are.',
  authScopes: { administrator: true },
  input: (t) => ({
    keepsConversations: t.boolean({ ...neverNull, description: keepsConversations }),
    retentionDays: t.field({
      type: 'Int',
      rule: integer({ min: 1, max: 3_650 }),
      ...neverNull,
      description: retentionDays,
    }),
    keepsRunContent: t.boolean({ ...neverNull, description: keepsRunContent }),
    redactsContent: t.boolean({ ...neverNull, description: redactsContent }),
  }),
  resolve: async (input, context) => {
    await setRetentionSettings(input, writerOf(context));
    const { organizationId } = memberOf(context.viewer);
    return { retention: await readRetentionSettings({ organizationId }, context.database) };
  },
  payload: (t) => ({
    retention: t.expose('retention', {
      type: RetentionSettings,
      description: 'The settings as they are now.',
    }),
  }),
});
