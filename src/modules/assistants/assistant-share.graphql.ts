import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
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

const RemovedShare = builder.objectRef<{ assistantId: string }>('RemovedShare').implement({
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    assistantId: t.exposeID('assistantId'),
  }),
});

builder.mutationFields((t) => ({
  shareAssistant: t.field({
    type: Assistant,
    description:
      'Gives an access level to a user, to a team, or to everybody in the organization if neither is named. It replaces the level they had.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      level: t.arg({ type: AccessLevel }),
      userId: t.arg({ type: 'ResourceId', required: false }),
      email: t.arg({
        type: 'EmailAddress',
        required: false,
        description: 'The e-mail address of a member, in place of userId.',
      }),
      teamId: t.arg({ type: 'ResourceId', required: false }),
    },
    authScopes: { person: true },
    resolve: async (
      _,
      { assistantId, level, userId = null, email = null, teamId = null },
      context,
    ) => {
      const person = personOf(context.viewer);
      await requireAssistant({ assistantId, person, level: 'OWNER' }, context);
      const recipient = await findShareRecipient(
        { organizationId: person.organizationId, userId, email, teamId },
        context,
      );
      await shareAssistant({ assistantId, person, recipient, level }, writerOf(context));
      return requireAssistant({ assistantId, person, level: 'VIEW' }, context);
    },
  }),
  unshareAssistant: t.field({
    type: RemovedShare,
    description:
      'Removes the share of a user, of a team, or of everybody if neither is named. The last owner cannot be removed.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      userId: t.arg({ type: 'ResourceId', required: false }),
      teamId: t.arg({ type: 'ResourceId', required: false }),
    },
    authScopes: { person: true },
    resolve: async (_, { assistantId, userId = null, teamId = null }, context) => {
      const person = personOf(context.viewer);
      const recipient = await findShareRecipient(
        { organizationId: person.organizationId, userId, email: null, teamId },
        context,
      );
      await unshareAssistant({ assistantId, person, recipient }, writerOf(context));
      return { assistantId };
    },
  }),
}));
