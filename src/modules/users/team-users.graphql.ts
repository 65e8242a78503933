import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { pageArgs, pageCost } from '../../graph/schema/page-type.ts';
import { notFound } from '../../platform/errors.ts';
import { userManagement } from '../organizations/features.ts';
import { Team } from '../teams/team.graphql.ts';
import { listTeamUsers } from './list-team-users.ts';
import { UserPage } from './user.graphql.ts';

const listArgs = {
  ...pageArgs(20),
  ...builder.args((t) => ({
    search: t.field({
      type: 'SearchText',
      required: false,
      description: 'Text in the e-mail address, the first name or the last name.',
    }),
  })),
};

builder.objectField(Team, 'users', (t) =>
  t.loadable({
    type: UserPage,
    description: 'The users in the team, newest first.',
    args: listArgs,
    complexity: pageCost,
    // A member can see their own teams, but not the other people in them.
    authScopes: { manages: userManagement },
    byPath: true,
    load: async (teamIds: string[], { viewer, database }, args) => {
      const pages = await listTeamUsers(
        { ...args, organizationId: memberOf(viewer).organizationId, teamIds },
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
    type: UserPage,
    description: 'The users in a team, newest first.',
    args: { teamId: t.arg({ type: 'ResourceId' }), ...listArgs },
    complexity: pageCost,
    authScopes: { manages: userManagement },
    resolve: async (_, { teamId, ...args }, { viewer, database }) => {
      const [page] = await listTeamUsers(
        { ...args, organizationId: memberOf(viewer).organizationId, teamIds: [teamId] },
        { database },
      );
      if (!page) throw notFound('Team');
      return page;
    },
  }),
);
