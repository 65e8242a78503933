import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { connectionArgs, connectionCost, pageRequest } from '../../graph/schema/connection.ts';
import { searchArg } from '../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation } from '../../graph/schema/mutation.ts';
import { notFound } from '../../platform/errors.ts';
import { writerOf } from '../audit/record-change.ts';
import { userManagement } from '../organizations/features.ts';
import { addTeamUser } from '../teams/add-team-user.ts';
import { readTeam } from '../teams/read-teams.ts';
import { removeTeamUser } from '../teams/remove-team-user.ts';
import { Team } from '../teams/team.graphql.ts';
import { listTeamUsers } from './list-team-users.ts';
import { readMember } from './read-member.ts';
import { User, UserConnection, UserOrder } from './user.graphql.ts';

const listArgs = {
  ...connectionArgs(),
  ...builder.args((t) => ({
    search: t.field(
      searchArg(
        'Text in the e-mail address, the first name or the last name, in any letter case and with or without accents.',
      ),
    ),
    orderBy: t.field({ type: UserOrder, required: false, description: 'The order of the list.' }),
  })),
};

builder.objectField(Team, 'users', (t) =>
  t.loadable({
    type: UserConnection,
    description: 'The users in the team, newest first by default.',
    args: listArgs,
    cost: connectionCost(20),
    // A member can see their own teams, but not the other people in them.
    authScopes: { manages: userManagement },
    byPath: true,
    load: async (teamIds: string[], { viewer, database }, args, info) => {
      const pages = await listTeamUsers(
        { ...args, organizationId: memberOf(viewer).organizationId, teamIds },
        pageRequest(args, info, 20),
        { database },
      );
      return pages.map((page) => page ?? notFound('Team'));
    },
    loaderOptions: { cache: false },
    resolve: (team) => team.id,
  }),
);

builder.queryField('teamUsers', (t) =>
  t.field({
    type: UserConnection,
    description: 'The users in a team, newest first by default.',
    args: {
      teamId: t.arg({ type: 'ID', description: 'The id of the team.' }),
      ...listArgs,
    },
    cost: connectionCost(20),
    authScopes: { manages: userManagement },
    resolve: async (_, { teamId, ...args }, { viewer, database }, info) => {
      const [page] = await listTeamUsers(
        { ...args, organizationId: memberOf(viewer).organizationId, teamIds: [teamId] },
        pageRequest(args, info, 20),
        { database },
      );
      if (!page) throw notFound('Team');
      return page;
    },
  }),
);

mutation('addTeamUser', {
  description: 'Adds a user to a team.',
  authScopes: { manages: userManagement },
  input: (t) => ({
    teamId: t.field({ type: 'ID', description: 'The id of the team.' }),
    userId: t.field({ type: 'ID', description: 'The id of the user.' }),
  }),
  resolve: async ({ teamId, userId }, context) => ({
    team: await addTeamUser({ teamId, userId }, writerOf(context)),
    userId,
  }),
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    team: t.expose('team', { type: Team, description: 'The team with its new user.' }),
    user: t.field({
      type: User,
      description: 'The user who was added.',
      resolve: ({ userId }, _, { viewer, database }) =>
        readMember({ organizationId: memberOf(viewer).organizationId, userId }, { database }),
    }),
    userId: t.exposeID('userId', { description: 'The id of the user who was added.' }),
  }),
});

mutation('removeTeamUser', {
  description: 'Removes a user from a team. The user stays in the organization.',
  authScopes: { manages: userManagement },
  input: (t) => ({
    teamId: t.field({ type: 'ID', description: 'The id of the team.' }),
    userId: t.field({ type: 'ID', description: 'The id of the user.' }),
  }),
  resolve: async ({ teamId, userId }, context) => {
    await removeTeamUser({ teamId, userId }, writerOf(context));
    return { teamId, userId };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    team: t.field({
      type: Team,
      description: 'The team without the user.',
      resolve: ({ teamId }, _, { viewer, database }) =>
        readTeam({ organizationId: memberOf(viewer).organizationId, teamId }, { database }),
    }),
    user: t.field({
      type: User,
      description: 'The user who was removed from the team.',
      resolve: ({ userId }, _, { viewer, database }) =>
        readMember({ organizationId: memberOf(viewer).organizationId, userId }, { database }),
    }),
    teamId: t.exposeID('teamId', { description: 'The id of the team.' }),
    userId: t.exposeID('userId', { description: 'The id of the user.' }),
  }),
});
