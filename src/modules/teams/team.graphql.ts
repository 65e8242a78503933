import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { searchArg, text } from '../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { requestLoader } from '../../graph/schema/request-loader.ts';
import { fragment } from '../../platform/database/sql.ts';
import { writerOf } from '../audit/record-change.ts';
import { userManagement } from '../organizations/features.ts';
import { countTeamMembers } from './count-team-members.ts';
import { createTeam } from './create-team.ts';
import { deleteTeam } from './delete-team.ts';
import { listTeams } from './list-teams.ts';
import { readTeam, readTeams } from './read-teams.ts';
import { renameTeam } from './rename-team.ts';
import type { TeamRow } from './team.ts';

const teamNameRule = text({ min: 1, max: 200 });

export const Team = builder.objectRef<TeamRow>('Team').implement({
  interfaces: [Node],
  description: 'A group of users of one organization.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the team, an opaque string that never changes.',
    }),
    name: t.exposeString('name', {
      description:
        'The display name, 1 to 200 characters, unique within the organization regardless of case.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description:
        'Whether it is the default team, which new users join and which cannot be deleted.',
    }),
    memberCount: t.int({
      description: 'How many users the team has.',
      resolve: ({ id, memberCount }, _, context) =>
        memberCount ?? memberCountsFor(context).load(id),
    }),
  }),
});

const memberCountsFor = requestLoader(countTeamMembers);

addNodeSource('Team', {
  scopes: { manages: userManagement },
  table: fragment`teams`,
  load: (teamIds, { viewer, database }) =>
    readTeams({ organizationId: memberOf(viewer).organizationId, teamIds }, { database }),
});

const TeamConnection = connectionType('Team', Team);
const TeamOrder = orderType('TeamOrder', {
  CREATED_AT: 'When the team was created.',
  NAME: 'The name, regardless of case.',
});

builder.queryFields((t) => ({
  teams: t.field({
    type: TeamConnection,
    description:
      'The teams of the organization, newest first by default. Without arguments all of them.',
    args: {
      ...connectionArgs(),
      search: t.arg(searchArg()),
      updatedSince: t.arg({
        type: 'DateTime',
        required: false,
        description:
          'Only teams that were created or renamed at this time or later, the earliest change first.',
      }),
      orderBy: t.arg({ type: TeamOrder, required: false, description: 'The order of the list.' }),
    },
    cost: connectionCost('all'),
    authScopes: { manages: userManagement },
    resolve: (_, args, { viewer, database }, info) =>
      listTeams(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 'all'),
        { database },
      ),
  }),
  team: t.field({
    type: Team,
    description: 'A team of the organization.',
    args: { teamId: t.arg({ type: 'ID', description: 'The id of the team.' }) },
    authScopes: { manages: userManagement },
    resolve: (_, { teamId }, { viewer, database }) =>
      readTeam({ organizationId: memberOf(viewer).organizationId, teamId }, { database }),
  }),
}));

mutation('createTeam', {
  description: 'Creates a team, which has no users yet.',
  authScopes: { manages: userManagement },
  input: (t) => ({
    name: t.field({
      type: 'String',
      rule: teamNameRule,
      description: 'The name; unique within the organization, regardless of case.',
    }),
  }),
  resolve: async (input, context) => ({ team: await createTeam(input, writerOf(context)) }),
  payload: (t) => ({ team: t.expose('team', { type: Team, description: 'The new team.' }) }),
});

mutation('renameTeam', {
  description: 'Renames a team. Without a name the team stays as it is.',
  authScopes: { manages: userManagement },
  input: (t) => ({
    teamId: t.field({ type: 'ID', description: 'The id of the team.' }),
    name: t.field({
      type: 'String',
      rule: teamNameRule,
      ...neverNull,
      description: 'The new name; unique within the organization, regardless of case.',
    }),
  }),
  resolve: async (input, context) => ({ team: await renameTeam(input, writerOf(context)) }),
  payload: (t) => ({ team: t.expose('team', { type: Team, description: 'The renamed team.' }) }),
});

mutation('deleteTeam', {
  description: 'Removes all users from a team and deletes it. The default team cannot be deleted.',
  authScopes: { manages: userManagement },
  input: (t) => ({ teamId: t.field({ type: 'ID', description: 'The id of the team.' }) }),
  resolve: async ({ teamId }, context) => {
    await deleteTeam({ teamId }, writerOf(context));
    return { deletedTeamId: teamId };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    deletedTeamId: t.exposeID('deletedTeamId', { description: 'The id of the deleted team.' }),
  }),
});
