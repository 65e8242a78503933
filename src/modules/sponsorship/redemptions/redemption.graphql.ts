import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  nodesSelectOnly,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { number, searchArg, text } from '../../../graph/schema/input-rules.ts';
import { addNodeSource, Node } from '../../../graph/schema/node.ts';
import { BillingStatus } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { sponsorship } from '../../organizations/features.ts';
import { PricingType } from '../campaigns/pricing.graphql.ts';
import { pricingOf } from '../campaigns/pricing.ts';
import { findRedemptions } from './find-redemptions.ts';
import { readRedemption, readRedemptions } from './read-redemptions.ts';
import { briefRedemption, type Redemption as RedemptionRow } from './redemption.ts';

// Up to this amount a double is exact to a hundredth of a cent.
const amountMax = 100_000_000_000;

export const amountRule = number({ min: 0, max: amountMax });
export const batchIdRule = text({ min: 1, max: 200 });
export const extensionReasonRule = text({ min: 0, max: 2000, lines: 'many' });

export const BillingStatusType = builder.enumType(BillingStatus, {
  name: 'BillingStatus',
  description:
    'Where the billing of a redemption stands. Every change between two states is possible.',
  values: {
    UNBILLED: { description: 'The platform has not billed the partner yet.' },
    BILLED: { description: 'The partner was billed.' },
    WAIVED: { description: 'The partner will not be billed.' },
    DISPUTED: { description: 'The partner has objected to the bill.' },
  },
});

export const RedemptionOrder = orderType('RedemptionOrder', {
  REDEEMED_AT: 'When the redemption was completed.',
  SPONSORED_UNTIL: 'When the sponsorship ends.',
});

export const Redemption = builder.objectRef<RedemptionRow>('Redemption').implement({
  interfaces: [Node],
  description:
    'A completed redemption: a workspace that the partner sponsors, with a copy of the terms at that time.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the redemption, an opaque string that never changes.',
    }),
    redeemedAt: t.expose('redeemedAt', {
      type: 'DateTime',
      description: 'When the workspace was created and the sponsorship began.',
    }),
    sponsoredUntil: t.expose('sponsoredUntil', {
      type: 'DateTime',
      description: 'The end of the sponsorship.',
    }),
    extendedUntil: t.expose('extendedUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'The end of the sponsorship by its last extension; null if it was never extended.',
    }),
    extensionReason: t.exposeString('extensionReason', {
      nullable: true,
      description:
        'Why the sponsorship was extended last, at most 2,000 characters, for the partner’s own records; null without a reason.',
    }),
    durationMonths: t.exposeInt('durationMonths', {
      description: 'How many calendar months the sponsorship lasts without an extension, 1 to 6.',
    }),
    includedSeats: t.exposeInt('includedSeats', {
      nullable: true,
      description: 'How many members the workspace can have, 1 to 1,000; null means no limit.',
    }),
    pricing: t.field({
      type: PricingType,
      nullable: true,
      description: 'The price at the time of the redemption; null if the campaign had none.',
      resolve: pricingOf,
    }),
    billingStatus: t.expose('billingStatus', {
      type: BillingStatusType,
      description: 'Where the billing of the redemption stands.',
    }),
    billingAmount: t.expose('billingAmount', {
      type: 'Decimal',
      nullable: true,
      description:
        'What the partner bills for the redemption, in euro; initially the amount of the pricing.',
    }),
    billedAt: t.expose('billedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the redemption was billed; null while unbilled.',
    }),
    billingBatchId: t.exposeString('billingBatchId', {
      nullable: true,
      description: 'The partner’s id of the batch or invoice; null while unbilled.',
    }),
    organizationName: t.exposeString('organizationName', {
      description: 'The name of the sponsored organization.',
    }),
    userEmail: t.exposeString('userEmail', {
      description: 'The e-mail address of the person who redeemed, at that time.',
    }),
    linkName: t.exposeString('linkName', { description: 'The current name of the link.' }),
    linkToken: t.exposeString('linkToken', {
      description: 'The token in the address of the link; not a secret.',
    }),
    campaignName: t.exposeString('campaignName', {
      description: 'The current name of the campaign.',
    }),
    campaignId: t.exposeID('campaignId', {
      description: 'The id of the campaign that was redeemed.',
    }),
  }),
});

addNodeSource('Redemption', {
  scopes: { manages: sponsorship },
  table: fragment`redemptions`,
  load: (redemptionIds, { viewer, database }) =>
    readRedemptions(
      { organizationId: memberOf(viewer).organizationId, redemptionIds },
      { database },
    ),
});

export const RedemptionConnection = connectionType('Redemption', Redemption);

builder.queryFields((t) => ({
  redemptions: t.field({
    type: RedemptionConnection,
    description:
      'The completed redemptions of one campaign or of all campaigns, newest first by default.',
    args: {
      campaignId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only redemptions of this campaign.',
      }),
      ...connectionArgs(),
      billingStatus: t.arg({
        type: BillingStatusType,
        required: false,
        description: 'Only redemptions with this billing status.',
      }),
      linkId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only redemptions through this link.',
      }),
      search: t.arg(
        searchArg(
          'Text in the e-mail address of the person who redeemed, or in the name of the workspace. For a common text the total stops at 10,000.',
        ),
      ),
      endsFrom: t.arg({
        type: 'DateTime',
        required: false,
        description: 'Only sponsorships that end at this time or later.',
      }),
      endsBefore: t.arg({
        type: 'DateTime',
        required: false,
        description: 'Only sponsorships that end before this time.',
      }),
      updatedSince: t.arg({
        type: 'DateTime',
        required: false,
        description:
          'Only redemptions that were completed or changed at this time or later, the earliest change first. Names of links and workspaces, and addresses of accounts do not count.',
      }),
      orderBy: t.arg({
        type: RedemptionOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(100),
    authScopes: { manages: sponsorship },
    resolve: (_, args, { viewer, ...dependencies }, info) => {
      const isBrief = nodesSelectOnly(briefRedemption, info);
      return findRedemptions(
        { ...args, isBrief, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 100),
        dependencies,
      );
    },
  }),
  redemption: t.field({
    type: Redemption,
    description: 'A redemption of a campaign of the organization.',
    args: { redemptionId: t.arg({ type: 'ID', description: 'The id of the redemption.' }) },
    authScopes: { manages: sponsorship },
    resolve: (_, { redemptionId }, { viewer, database }) =>
      readRedemption(
        { organizationId: memberOf(viewer).organizationId, redemptionId },
        { database },
      ),
  }),
}));
