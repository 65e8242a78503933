import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { pageArgs, pageCost } from '../../graph/schema/page-type.ts';
import { userManagement } from '../organizations/features.ts';
import { Team } from '../teams/team.graphql.ts';
import { listTeamUsers } from './list-team-users.ts';
import { UserPage } from './user.graphql.ts';

builder.objectField(Team, 'users', (t) =>
  t.loadable({
    type: UserPage,
    description: 'The users in the team, newest first.',
    args: {
      ...pageArgs(20),
      search: t.arg({
        type: 'SearchText',
        required: false,
        description: 'Text in the e-mail address, the first name or the last name.',
      }),
    },
    complexity: pageCost,
    // A member can see their own teams, but not the other people in them.
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
