import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { sizedByParent } from '../../../graph/schema/field-cost.ts';
import { integer } from '../../../graph/schema/input-rules.ts';
import { Campaign } from '../campaigns/campaign.graphql.ts';
import { Link } from './link.graphql.ts';
import {
  type LinkDay as LinkDayRow,
  type LinkFigures as LinkFiguresRow,
  readLinkFigures,
} from './read-link-figures.ts';

const LinkDay = builder.objectRef<LinkDayRow>('LinkDay').implement({
  description: 'How often links were opened and redeemed on a day.',
  fields: (t) => ({
    day: t.expose('day', {
      type: 'DateTime',
      description: 'The first instant of the day, in UTC.',
    }),
    clicks: t.exposeInt('clicks', { description: 'How often they were opened.' }),
    redemptions: t.exposeInt('redemptions', { description: 'How often they were redeemed.' }),
  }),
});

const LinkFigures = builder.objectRef<LinkFiguresRow>('LinkFigures').implement({
  description: 'How often links were opened and redeemed in the last days.',
  fields: (t) => ({
    clicks: t.exposeInt('clicks', {
      description:
        'How often people opened them. A browser counts once in half an hour, and programs that do not run the page do not count. New clicks appear after up to ten seconds.',
    }),
    redemptions: t.exposeInt('redemptions', {
      description: 'How many redemptions were completed through them.',
    }),
    conversion: t.exposeFloat('conversion', {
      nullable: true,
      description:
        'The redemptions per click; null without a click. It can exceed 1, because people can redeem on a later day than they click.',
    }),
    byDay: t.expose('byDay', {
      type: [LinkDay],
      description: 'The figures of each day (UTC), oldest first, with zeros.',
      cost: { listSize: sizedByParent },
    }),
  }),
});

const daysArg = () =>
  builder.args((t) => ({
    days: t.int({
      rule: integer({ min: 1, max: 366 }),
      defaultValue: 30,
      description: 'The number of days (UTC), of which today is the last.',
    }),
  }));

builder.objectField(Link, 'figures', (t) =>
  t.loadable({
    type: LinkFigures,
    description: 'How often the link was opened and redeemed.',
    args: daysArg(),
    cost: { listSize: { slicingArguments: ['days'], sizedFields: ['byDay'] } },
    byPath: true,
    load: (ids: string[], { viewer, ...dependencies }, { days }) =>
      readLinkFigures(
        { organizationId: memberOf(viewer).organizationId, of: 'links', ids, days },
        dependencies,
      ),
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

builder.objectField(Campaign, 'linkFigures', (t) =>
  t.loadable({
    type: LinkFigures,
    description: 'How often the links of the campaign were opened and redeemed, together.',
    args: daysArg(),
    cost: { listSize: { slicingArguments: ['days'], sizedFields: ['byDay'] } },
    byPath: true,
    load: (ids: string[], { viewer, ...dependencies }, { days }) =>
      readLinkFigures(
        { organizationId: memberOf(viewer).organizationId, of: 'campaigns', ids, days },
        dependencies,
      ),
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);
