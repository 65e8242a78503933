import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { notFound } from '../../../platform/errors.ts';
import { Campaign } from '../campaigns/campaign.graphql.ts';
import { Link } from '../links/link.graphql.ts';
import { readLinks } from '../links/read-links.ts';
import { listReservations, type Reservation as ReservationRow } from './list-reservations.ts';

const Reservation = builder.objectRef<ReservationRow>('Reservation').implement({
  description: 'A redemption that is reserved for a person who is signing up or signing in.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the reservation began.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the reservation expires and its redemption is free again.',
    }),
    link: t.loadable({
      type: Link,
      description: 'The link through which the person came.',
      load: async (linkIds: string[], { viewer, database }) => {
        const links = await readLinks(
          { organizationId: memberOf(viewer).organizationId, linkIds },
          { database },
        );
        return links.map((link) => link ?? notFound('Link'));
      },
      loaderOptions: { cache: false },
      resolve: ({ linkId }) => linkId,
    }),
  }),
});

const ReservationConnection = connectionType('Reservation', Reservation);
const ReservationOrder = orderType('ReservationOrder', {
  EXPIRES_AT: 'When the reservation expires.',
});

builder.objectField(Campaign, 'reservations', (t) =>
  t.loadable({
    type: ReservationConnection,
    description: 'The live reservations, newest first by default.',
    args: {
      ...connectionArgs(),
      orderBy: t.arg({
        type: ReservationOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    byPath: true,
    load: async (campaignIds: string[], { viewer, ...dependencies }, args, info) => {
      const pages = await listReservations(
        { ...args, organizationId: memberOf(viewer).organizationId, campaignIds },
        pageRequest(args, info, 20),
        dependencies,
      );
      return pages.map((page) => page ?? notFound('Campaign'));
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);
