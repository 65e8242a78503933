import { builder } from '../../graph/builder.ts';
import { memberOf } from '../../graph/scopes.ts';
import { userManagement } from '../organizations/features.ts';
import { Team } from '../teams/team.graphql.ts';
import { listTeamUsers } from './list-team-users.ts';
import { UserPage } from './user.graphql.ts';

builder.objectField(Team, 'users', (t) =>
  t.loadable({
    type: UserPage,
    description: 'The users in the team, newest first.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
      search: t.arg({
        type: 'SearchText',
        required: false,
        description: 'Found in the e-mail address, the first or the last name.',
      }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    // A member sees teams on their own user, but not who else is in them.
    authScopes: { manages: userManagement },
    byPath: true,
    load: (teamIds: string[], { viewer, database }, args) =>
      listTeamUsers(
        { ...args, organizationId: memberOf(viewer).organizationId, teamIds },
        { database },
      ),
    loaderOptions: { cache: false },
    resolve: (team) => team.id,
  }),
);
