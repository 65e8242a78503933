import { builder } from '../../graph/builder.ts';
import { personOf } from '../../graph/scopes.ts';
import { Team } from '../teams/team.graphql.ts';
import { listSharingTeams } from './list-sharing-teams.ts';

builder.queryField('sharingTeams', (t) =>
  t.field({
    type: [Team],
    description:
      'The teams that the caller can share an assistant with, by name: their own teams, and every team for an administrator.',
    authScopes: { person: true },
    resolve: (_, __, { viewer, database }) =>
      listSharingTeams({ person: personOf(viewer) }, { database }),
  }),
);
