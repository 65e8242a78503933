import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { writerOf } from '../audit/record-change.ts';
import { readTeams } from '../teams/read-teams.ts';
import { Team } from '../teams/team.graphql.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { allows } from './access.ts';
import { AccessLevel, Assistant } from './assistant.graphql.ts';
import type { Assistant as AssistantRow } from './assistant.ts';
import { findShareRecipient } from './find-share-recipient.ts';
import { type AssistantShare as AssistantShareRow, listShares } from './list-shares.ts';
import { requireAssistant } from './require-assistant.ts';
import { shareAssistant } from './share-assistant.ts';
import { unshareAssistant } from './unshare-assistant.ts';

const AssistantShare = builder.objectRef<AssistantShareRow>('AssistantShare').implement({
  description:
    'The access level that a user or a team has to an assistant. A share without user and team applies to everybody in the organization.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the share, an opaque string that never changes.',
    }),
    level: t.expose('level', { type: AccessLevel, description: 'What the share allows.' }),
    user: t.loadable({
      type: User,
      nullable: true,
      description: 'The user who has access; null if the share is for a team or for everybody.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: personOf(viewer).organizationId, userIds }, { database }),
      resolve: (share) => share.userId,
    }),
    team: t.loadable({
      type: Team,
      nullable: true,
      description:
        'The team whose members have access; null if the share is for a user or for everybody.',
      load: (teamIds: string[], { viewer, database }) =>
        readTeams({ organizationId: personOf(viewer).organizationId, teamIds }, { database }),
      resolve: (share) => share.teamId,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When access was first given.',
    }),
  }),
});

builder.objectField(Assistant, 'shares', (t) =>
  t.loadableList({
    type: AssistantShare,
    description:
      'The shares of the assistant, oldest first. Only its owners see them; for others the list is empty.',
    load: (assistants: AssistantRow[], { viewer, database }) => {
      const assistantIds = assistants.map(({ id, level }) => (allows(level, 'OWNER') ? id : ''));
      return listShares(
        { organizationId: personOf(viewer).organizationId, assistantIds },
        { database },
      );
    },
    // Several mutations of one request each read the shares anew, so each sees the changes of the
    // ones before it.
    loaderOptions: { cache: false },
    resolve: (assistant) => assistant,
  }),
);

mutation('shareAssistant', {
  description:
    'Gives an access level to a user, to a team, or to everybody in the organization if neither is named. It replaces the level they had.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    level: t.field({ type: AccessLevel, description: 'The access level that they get.' }),
    userId: t.field({ type: 'ID', required: false, description: 'The id of a member.' }),
    email: t.field({
      type: 'EmailAddress',
      required: false,
      description: 'The e-mail address of a member, in place of userId.',
    }),
    teamId: t.field({ type: 'ID', required: false, description: 'The id of a team.' }),
  }),
  resolve: async ({ assistantId, level, userId = null, email = null, teamId = null }, context) => {
    const person = personOf(context.viewer);
    await requireAssistant({ assistantId, person, level: 'OWNER' }, context);
    const recipient = await findShareRecipient(
      { organizationId: person.organizationId, userId, email, teamId },
      context,
    );
    await shareAssistant({ assistantId, person, recipient, level }, writerOf(context));
    return { assistant: await requireAssistant({ assistantId, person, level: 'VIEW' }, context) };
  },
  payload: (t) => ({
    assistant: t.expose('assistant', {
      type: Assistant,
      description: 'The assistant with its new share.',
    }),
  }),
});

mutation('unshareAssistant', {
  description:
    'Removes the share of a user, of a team, or of everybody if neither is named. The last owner cannot be removed.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    userId: t.field({ type: 'ID', required: false, description: 'The id of a member.' }),
    teamId: t.field({ type: 'ID', required: false, description: 'The id of a team.' }),
  }),
  resolve: async ({ assistantId, userId = null, teamId = null }, context) => {
    const person = personOf(context.viewer);
    const recipient = await findShareRecipient(
      { organizationId: person.organizationId, userId, email: null, teamId },
      context,
    );
    await unshareAssistant({ assistantId, person, recipient }, writerOf(context));
    return { assistantId };
  },
  payload: (t) => ({
    assistant: t.field({
      type: Assistant,
      description:
        'The assistant without the share. An error if the caller removed their own access.',
      resolve: ({ assistantId }, _, { viewer, database }) =>
        requireAssistant({ assistantId, person: personOf(viewer), level: 'VIEW' }, { database }),
    }),
    assistantId: t.exposeID('assistantId', { description: 'The id of the assistant.' }),
  }),
});
