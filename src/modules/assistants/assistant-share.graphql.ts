import { builder } from '../../graph/builder.ts';
import { personOf } from '../../graph/scopes.ts';
import { writerOf } from '../audit/record-change.ts';
import { readTeams } from '../teams/read-teams.ts';
import { Team } from '../teams/team.graphql.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { reaches } from './access.ts';
import { AccessLevel, Assistant } from './assistant.graphql.ts';
import type { Assistant as AssistantRow } from './assistant.ts';
import { findHolder } from './find-holder.ts';
import { type AssistantShare as AssistantShareRow, listShares } from './list-shares.ts';
import { requireAssistant } from './require-assistant.ts';
import { shareAssistant } from './share-assistant.ts';
import { unshareAssistant } from './unshare-assistant.ts';

const AssistantShare = builder.objectRef<AssistantShareRow>('AssistantShare').implement({
  description:
    'Who may do what with an assistant. Where neither a user nor a team is named, it is everybody of the organization.',
  fields: (t) => ({
    id: t.exposeID('id'),
    level: t.expose('level', { type: AccessLevel }),
    user: t.loadable({
      type: User,
      nullable: true,
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: personOf(viewer).organizationId, userIds }, { database }),
      resolve: (share) => share.userId,
    }),
    team: t.loadable({
      type: Team,
      nullable: true,
      load: (teamIds: string[], { viewer, database }) =>
        readTeams({ organizationId: personOf(viewer).organizationId, teamIds }, { database }),
      resolve: (share) => share.teamId,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.objectField(Assistant, 'shares', (t) =>
  t.loadableList({
    type: AssistantShare,
    description: 'Who may do what with it, oldest first; empty for who does not own it.',
    load: (assistants: AssistantRow[], { viewer, database }) => {
      const assistantIds = assistants.map(({ id, level }) => (reaches(level, 'OWNER') ? id : ''));
      return listShares(
        { organizationId: personOf(viewer).organizationId, assistantIds },
        { database },
      );
    },
    // A mutation after another in one request must not read the shares from before.
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
      'Gives a user, a team, or, where none is named, everybody of the organization this level instead of the one they had.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      level: t.arg({ type: AccessLevel }),
      userId: t.arg({ type: 'ResourceId', required: false }),
      email: t.arg({
        type: 'EmailAddress',
        required: false,
        description: 'Of a member, where the id is not known.',
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
      const holder = await findHolder(
        { organizationId: person.organizationId, userId, email, teamId },
        context,
      );
      await shareAssistant({ assistantId, person, holder, level }, writerOf(context));
      return requireAssistant({ assistantId, person, level: 'VIEW' }, context);
    },
  }),
  unshareAssistant: t.field({
    type: RemovedShare,
    description:
      'Takes back what a user, a team, or, where none is named, everybody was given. One owner always stays.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      userId: t.arg({ type: 'ResourceId', required: false }),
      teamId: t.arg({ type: 'ResourceId', required: false }),
    },
    authScopes: { person: true },
    resolve: async (_, { assistantId, userId = null, teamId = null }, context) => {
      const person = personOf(context.viewer);
      const holder = await findHolder(
        { organizationId: person.organizationId, userId, email: null, teamId },
        context,
      );
      await unshareAssistant({ assistantId, person, holder }, writerOf(context));
      return { assistantId };
    },
  }),
}));
