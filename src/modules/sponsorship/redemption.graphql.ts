import { builder } from '../../graph/builder.ts';
import { neverNull } from '../../graph/presence.ts';
import { scalar, textScalar } from '../../graph/scalars.ts';
import { memberOf } from '../../graph/scopes.ts';
import { selectsOnly } from '../../graph/selection.ts';
import { BillingStatus } from '../../platform/database/generated/client.ts';
import { writerOf } from '../audit/record-change.ts';
import { sponsorship } from '../organizations/features.ts';
import { extendRedemption } from './extend-redemption.ts';
import { findRedemptions } from './find-redemptions.ts';
import { pageType } from './page-type.graphql.ts';
import { PricingType } from './pricing.graphql.ts';
import { pricingOf } from './pricing.ts';
import { readRedemption } from './read-redemption.ts';
import { briefRedemption, type Redemption as RedemptionRow } from './redemption.ts';
import { setRedemptionBilling } from './set-redemption-billing.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    BillingAmount: { Input: number; Output: number };
    BillingBatchId: { Input: string; Output: string };
    ExtensionReason: { Input: string; Output: string };
  }
}

// Doubles are exact to a hundredth of a cent up to here.
const amountMax = 100_000_000_000;

builder.addScalarType(
  'BillingAmount',
  scalar<number>(
    'BillingAmount',
    {
      expectation: `a number from 0 to ${amountMax}`,
      description: 'An amount in euro; ten decimals are kept.',
      jsonSchema: { type: 'number', minimum: 0, maximum: amountMax },
    },
    (value) => (typeof value === 'number' && value >= 0 && value <= amountMax ? value : undefined),
  ),
);
builder.addScalarType(
  'BillingBatchId',
  textScalar('BillingBatchId', {
    min: 1,
    max: 200,
    description: 'The partner’s batch or invoice.',
  }),
);
builder.addScalarType(
  'ExtensionReason',
  textScalar('ExtensionReason', {
    min: 0,
    max: 2000,
    lines: 'many',
    description: 'Why a sponsorship was extended; internal.',
  }),
);

export const BillingStatusType = builder.enumType(BillingStatus, { name: 'BillingStatus' });

const RedemptionOrder = builder.enumType('RedemptionOrder', {
  values: ['NEWEST', 'FIRST_TO_END'] as const,
});

export const Redemption = builder.objectRef<RedemptionRow>('Redemption').implement({
  description:
    'A completed redemption: a workspace that the partner sponsors, with its own copy of the terms.',
  fields: (t) => ({
    id: t.exposeID('id'),
    redeemedAt: t.expose('redeemedAt', { type: 'DateTime' }),
    sponsoredUntil: t.expose('sponsoredUntil', {
      type: 'DateTime',
      description: 'The end of the sponsorship.',
    }),
    extendedUntil: t.expose('extendedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Null until the sponsorship was extended.',
    }),
    extensionReason: t.exposeString('extensionReason', { nullable: true }),
    durationMonths: t.exposeInt('durationMonths'),
    includedSeats: t.exposeInt('includedSeats', { nullable: true }),
    pricing: t.field({ type: PricingType, nullable: true, resolve: pricingOf }),
    billingStatus: t.expose('billingStatus', { type: BillingStatusType }),
    billingAmount: t.exposeFloat('billingAmount', {
      nullable: true,
      description: 'In euro; begins as the amount of the pricing.',
    }),
    billedAt: t.expose('billedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null while unbilled.',
    }),
    billingBatchId: t.exposeString('billingBatchId', {
      nullable: true,
      description: 'Null while unbilled.',
    }),
    organizationName: t.exposeString('organizationName', {
      description: 'The sponsored organization.',
    }),
    userEmail: t.exposeString('userEmail'),
    linkName: t.exposeString('linkName'),
    linkToken: t.exposeString('linkToken'),
    campaignName: t.exposeString('campaignName'),
    campaignId: t.exposeID('campaignId'),
  }),
});

export const RedemptionPage = pageType('RedemptionPage', Redemption);

const ChangedBilling = builder.objectRef<{ redemptionId: string }>('ChangedBilling').implement({
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    redemption: t.field({
      type: Redemption,
      resolve: ({ redemptionId }, _, { viewer, database }) =>
        readRedemption(
          { organizationId: memberOf(viewer).organizationId, redemptionId },
          { database },
        ),
    }),
  }),
});

builder.queryFields((t) => ({
  redemptions: t.field({
    type: RedemptionPage,
    description:
      'The completed redemptions of a campaign, or of all of them, newest first unless asked otherwise.',
    args: {
      campaignId: t.arg({ type: 'ResourceId', required: false }),
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 100 }),
      billingStatus: t.arg({
        type: BillingStatusType,
        required: false,
        description: 'Only those in this billing status.',
      }),
      linkId: t.arg({
        type: 'ResourceId',
        required: false,
        description: 'Only those that came by this link.',
      }),
      search: t.arg({
        type: 'SearchText',
        required: false,
        description:
          'Found in the address of who redeemed, or in the name of the workspace. What fits a common text is counted up to 10,000.',
      }),
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
      order: t.arg({ type: RedemptionOrder, defaultValue: 'NEWEST' }),
      after: t.arg({
        type: 'ResourceId',
        required: false,
        description:
          'Begins behind this redemption: who asks for page 1 behind the last one they have meets each once, whatever is redeemed meanwhile.',
      }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    authScopes: { manages: sponsorship },
    resolve: (_, asked, { viewer, ...parts }, info) => {
      const isBrief = selectsOnly(briefRedemption, info, 'items');
      return findRedemptions(
        { ...asked, isBrief, organizationId: memberOf(viewer).organizationId },
        parts,
      );
    },
  }),
  redemption: t.field({
    type: Redemption,
    args: { redemptionId: t.arg({ type: 'ResourceId' }) },
    authScopes: { manages: sponsorship },
    resolve: (_, { redemptionId }, { viewer, database }) =>
      readRedemption(
        { organizationId: memberOf(viewer).organizationId, redemptionId },
        { database },
      ),
  }),
}));

builder.mutationFields((t) => ({
  extendRedemption: t.field({
    type: Redemption,
    description:
      'Moves the end of a sponsorship to a later time; one that has ended begins to run again.',
    args: {
      redemptionId: t.arg({ type: 'ResourceId' }),
      newSponsoredUntil: t.arg({ type: 'DateTime', description: 'Later than the current end.' }),
      reason: t.arg({
        type: 'ExtensionReason',
        required: false,
        description:
          'Why, for the partner itself; null clears an earlier reason, absent leaves it.',
      }),
    },
    authScopes: { manages: sponsorship },
    resolve: (_, input, context) => extendRedemption(input, writerOf(context)),
  }),
  setRedemptionBilling: t.field({
    type: ChangedBilling,
    description:
      'Sets the billing status. BILLED sets billedAt; UNBILLED clears it and the batch; amount and batch stay when they are left out.',
    args: {
      redemptionId: t.arg({ type: 'ResourceId' }),
      billingStatus: t.arg({ type: BillingStatusType, description: 'The status to set.' }),
      billingAmount: t.arg({ type: 'BillingAmount', ...neverNull }),
      billingBatchId: t.arg({ type: 'BillingBatchId', ...neverNull }),
    },
    authScopes: { manages: sponsorship },
    resolve: async (_, input, context) => {
      await setRedemptionBilling(input, writerOf(context));
      return { redemptionId: input.redemptionId };
    },
  }),
}));
