import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { countMembers } from '../../organizations/count-members.ts';
import { Campaign } from '../campaigns/campaign.graphql.ts';
import { Redemption } from '../redemptions/redemption.graphql.ts';
import { countSeats, type Seats as SeatsRow } from './count-seats.ts';

export const Seats = builder.objectRef<SeatsRow>('Seats').implement({
  description: 'The seats of running sponsorships.',
  fields: (t) => ({
    sponsorships: t.exposeInt('sponsorships', {
      description: 'The number of running sponsorships.',
    }),
    given: t.exposeInt('given', {
      description: 'The included seats of all sponsorships with a seat limit.',
    }),
    used: t.exposeInt('used', { description: 'The members of all sponsored organizations.' }),
  }),
});

builder.objectField(Campaign, 'seats', (t) =>
  t.loadable({
    type: Seats,
    description: 'The seats of the running sponsorships of the campaign.',
    // The statement reads every running sponsorship.
    cost: { weight: 50 },
    load: (campaignIds: string[], { viewer, ...dependencies }) =>
      countSeats({ organizationId: memberOf(viewer).organizationId, campaignIds }, dependencies),
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

builder.objectField(Redemption, 'usedSeats', (t) =>
  t.loadable({
    type: 'Int',
    description:
      'The number of members of the sponsored organization; compare it with includedSeats.',
    load: (organizationIds: string[], { database }) => countMembers(organizationIds, { database }),
    loaderOptions: { cache: false },
    resolve: ({ sponsoredOrganizationId }) => sponsoredOrganizationId,
  }),
);
