import { builder } from '../../graph/builder.ts';
import { memberOf } from '../../graph/scopes.ts';
import { notFound } from '../../platform/errors.ts';
import { Campaign } from './campaign.graphql.ts';
import { Link } from './link.graphql.ts';
import { listReservations, type Reservation as ReservationRow } from './list-reservations.ts';
import { pageType } from './page-type.graphql.ts';
import { readLinks } from './read-links.ts';

const Reservation = builder.objectRef<ReservationRow>('Reservation').implement({
  description: 'A place that is held for somebody who is signing up or in.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'From then on the place is free again.',
    }),
    link: t.loadable({
      type: Link,
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

const ReservationPage = pageType('ReservationPage', Reservation);

builder.objectField(Campaign, 'reservations', (t) =>
  t.loadable({
    type: ReservationPage,
    description: 'The places that are held now, the last taken first.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    byPath: true,
    load: async (campaignIds: string[], { viewer, ...parts }, args) => {
      const pages = await listReservations(
        { ...args, organizationId: memberOf(viewer).organizationId, campaignIds },
        parts,
      );
      return pages.map((page) => page ?? notFound('Campaign'));
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);
