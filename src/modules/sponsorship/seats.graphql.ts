import { builder } from '../../graph/builder.ts';
import { memberOf } from '../../graph/scopes.ts';
import { countMembers } from '../organizations/count-members.ts';
import { Campaign } from './campaign.graphql.ts';
import { countSeats, type Seats as SeatsRow } from './count-seats.ts';
import { Redemption } from './redemption.graphql.ts';

export const Seats = builder.objectRef<SeatsRow>('Seats').implement({
  description: 'The seats of sponsorships that are running.',
  fields: (t) => ({
    sponsorships: t.exposeInt('sponsorships', { description: 'How many are running.' }),
    given: t.exposeInt('given', { description: 'The seats of all that have a cap.' }),
    used: t.exposeInt('used', { description: 'The members of all.' }),
  }),
});

builder.objectField(Campaign, 'seats', (t) =>
  t.loadable({
    type: Seats,
    // Each running sponsorship is looked at.
    complexity: 50,
    load: (campaignIds: string[], { viewer, ...parts }) =>
      countSeats({ organizationId: memberOf(viewer).organizationId, campaignIds }, parts),
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

builder.objectField(Redemption, 'usedSeats', (t) =>
  t.loadable({
    type: 'Int',
    description: 'The members of the sponsored organization, to be held against includedSeats.',
    load: (organizationIds: string[], { database }) => countMembers(organizationIds, { database }),
    loaderOptions: { cache: false },
    resolve: ({ sponsoredOrganizationId }) => sponsoredOrganizationId,
  }),
);
