import { builder } from '../../graph/builder.ts';
import { personOf } from '../../graph/scopes.ts';
import { Team } from '../teams/team.graphql.ts';
import { listSharingTeams } from './list-sharing-teams.ts';

builder.queryField('sharingTeams', (t) =>
  t.field({
    type: [Team],
    description:
      'The teams that the person who asks can name when they share an assistant, by name: their own, and for administrators every one.',
    authScopes: { person: true },
    resolve: (_, __, { viewer, database }) =>
      listSharingTeams({ person: personOf(viewer) }, { database }),
  }),
);
