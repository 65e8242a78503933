import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
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
