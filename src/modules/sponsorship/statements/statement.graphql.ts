import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { inputRule } from '../../../graph/schema/input-rules.ts';
import { sponsorship } from '../../organizations/features.ts';
import { BillingStatusType } from '../redemptions/redemption.graphql.ts';
import { StatusAmountType } from '../summary/redemption-month.graphql.ts';
import { listStatementBatches, type StatementBatch } from './list-statement-batches.ts';
import { listStatementCampaigns, type StatementCampaign } from './list-statement-campaigns.ts';
import { listStatements } from './list-statements.ts';
import { readStatement } from './read-statement.ts';
import type { Statement } from './read-statements.ts';
import {
  reconcileStatement,
  type StatementDifference,
  type StatementReconciliation,
} from './reconcile-statement.ts';
import { monthPattern } from './statement-month.ts';

/** The argument for the month of a statement. */
export const monthArg = {
  type: 'String',
  rule: inputRule(
    {
      expectation: 'a month such as "2026-11"',
      jsonSchema: { type: 'string', pattern: monthPattern.source },
      directive: null,
    },
    (value) => (typeof value === 'string' && monthPattern.test(value) ? value : undefined),
  ),
  description: 'The calendar month in UTC, such as "2026-11".',
} as const;

const StatementBatchType = builder
  .objectRef<StatementBatch>('SponsorshipStatementBatch')
  .implement({
    description: 'The redemptions of a month that have the same billing batch and billing status.',
    fields: (t) => ({
      batchId: t.exposeString('batchId', {
        nullable: true,
        description: 'The partner’s id of the batch or invoice; null for redemptions without one.',
      }),
      billingStatus: t.expose('billingStatus', {
        type: BillingStatusType,
        description: 'The billing status that these redemptions have now.',
      }),
      redemptions: t.exposeInt('redemptions', { description: 'How many redemptions they are.' }),
      amountEur: t.expose('amountEur', {
        type: 'Decimal',
        description: 'The sum of their billing amounts in euro.',
      }),
    }),
  });

const StatementCampaignType = builder
  .objectRef<StatementCampaign>('SponsorshipStatementCampaign')
  .implement({
    description: 'What happened to the sponsorships of a campaign in a month.',
    fields: (t) => ({
      campaignId: t.exposeID('id', { description: 'The id of the campaign.' }),
      campaignName: t.exposeString('name', { description: 'The current name of the campaign.' }),
      began: t.exposeInt('began', { description: 'How many sponsorships began.' }),
      extended: t.exposeInt('extended', { description: 'How many extensions there were.' }),
      ended: t.exposeInt('ended', { description: 'How many sponsorships ended.' }),
      billableRedemptions: t.exposeInt('billableRedemptions', {
        description: 'How many redemptions of the month are not waived.',
      }),
      billableEur: t.expose('billableEur', {
        type: 'Decimal',
        description: 'The sum of their billing amounts in euro.',
      }),
    }),
  });

const StatementDifferenceType = builder
  .objectRef<StatementDifference>('SponsorshipStatementDifference')
  .implement({
    description: 'A billing status whose redemptions differ from the totals of billing.',
    fields: (t) => ({
      billingStatus: t.expose('billingStatus', {
        type: BillingStatusType,
        description: 'The status that both sides are added up for.',
      }),
      countedRedemptions: t.exposeInt('countedRedemptions', {
        description: 'How many redemptions of the month have the status.',
      }),
      countedAmountEur: t.expose('countedAmountEur', {
        type: 'Decimal',
        description: 'The sum of the billing amounts of these redemptions, in euro.',
      }),
      recordedRedemptions: t.exposeInt('recordedRedemptions', {
        description: 'How many redemptions the totals of billing have.',
      }),
      recordedAmountEur: t.expose('recordedAmountEur', {
        type: 'Decimal',
        description: 'The amount that the totals of billing have, in euro.',
      }),
    }),
  });

const StatementReconciliationType = builder
  .objectRef<StatementReconciliation>('SponsorshipStatementReconciliation')
  .implement({
    description:
      'The redemptions of a statement, counted one by one, beside the totals of billing that redemptionMonths has.',
    fields: (t) => ({
      agrees: t.boolean({
        description: 'Whether numbers and amounts are equal for every billing status.',
        resolve: ({ differences }) => differences.length === 0,
      }),
      redemptions: t.exposeInt('redemptions', {
        description: 'How many redemptions were counted, with the waived ones.',
      }),
      amountEur: t.expose('amountEur', {
        type: 'Decimal',
        description: 'The sum of their billing amounts in euro.',
      }),
      unvalued: t.exposeInt('unvalued', {
        description: 'How many of them have no billing amount; they count as 0.',
      }),
      differences: t.expose('differences', {
        type: [StatementDifferenceType],
        description: 'Each billing status that differs; empty if all agree.',
        cost: { listSize: { assumedSize: 4 } },
      }),
    }),
  });

const StatementBatchConnection = connectionType('SponsorshipStatementBatch', StatementBatchType);
const StatementCampaignConnection = connectionType(
  'SponsorshipStatementCampaign',
  StatementCampaignType,
);

const StatementBatchOrder = orderType('SponsorshipStatementBatchOrder', {
  BATCH_ID: 'The id of the batch; first the redemptions without one.',
  REDEMPTIONS: 'How many redemptions they are.',
});
const StatementCampaignOrder = orderType('SponsorshipStatementCampaignOrder', {
  NAME: 'Alphabetically by the current name.',
  BEGAN: 'How many sponsorships began.',
});
const StatementOrder = orderType('SponsorshipStatementOrder', { MONTH: 'The calendar month.' });

// Lists and the comparison read every redemption of the month, totals do not.
const statementType = builder.objectRef<Statement>('SponsorshipStatement').implement({
  description:
    'What happened to the sponsorships of the organization in a calendar month (UTC), and what is billable. A redemption is billed in the month in which it began.',
  fields: (t) => ({
    month: t.string({
      description: 'The month, such as "2026-11".',
      resolve: ({ month }) => month.name,
    }),
    from: t.field({
      type: 'DateTime',
      description: 'The first instant of the month.',
      resolve: ({ month }) => month.start,
    }),
    until: t.field({
      type: 'DateTime',
      description: 'The first instant of the next month.',
      resolve: ({ month }) => month.end,
    }),
    isOver: t.boolean({
      description:
        'Whether the month is over. Afterwards only the billing of its redemptions can change.',
      resolve: ({ month, now }) => month.end <= now,
    }),
    began: t.exposeInt('began', { description: 'How many sponsorships began.' }),
    extended: t.exposeInt('extended', { description: 'How many extensions there were.' }),
    ended: t.exposeInt('ended', {
      description: 'How many sponsorships ended, also if they were extended afterwards.',
    }),
    billableRedemptions: t.int({
      description: 'How many of the sponsorships that began are not waived.',
      resolve: ({ billable }) => billable.redemptions,
    }),
    billableEur: t.field({
      type: 'Decimal',
      description: 'The sum of their billing amounts in euro.',
      resolve: ({ billable }) => billable.amountEur,
    }),
    byBillingStatus: t.expose('byBillingStatus', {
      type: [StatusAmountType],
      description:
        'The sponsorships that began by their current billing status, with zeros for a status that none has. These are the totals of billing that redemptionMonths has.',
      cost: { listSize: { assumedSize: 4 } },
    }),
    reconciliation: t.field({
      type: StatementReconciliationType,
      description: 'The comparison of the redemptions with the totals of billing.',
      cost: { weight: 50 },
      resolve: (statement, _, { database }) => reconcileStatement(statement, database),
    }),
    campaigns: t.field({
      type: StatementCampaignConnection,
      description: 'The campaigns with sponsorships in the statement, by name by default.',
      args: {
        ...connectionArgs(),
        orderBy: t.arg({
          type: StatementCampaignOrder,
          required: false,
          description: 'The order of the list.',
        }),
      },
      cost: { ...connectionCost(50), weight: 50 },
      resolve: (statement, args, { database }, info) =>
        listStatementCampaigns({ ...statement, ...args }, pageRequest(args, info, 50), {
          database,
        }),
    }),
    batches: t.field({
      type: StatementBatchConnection,
      description:
        'The redemptions of the month by billing batch and billing status, by default in the order of the ids of the batches.',
      args: {
        ...connectionArgs(),
        orderBy: t.arg({
          type: StatementBatchOrder,
          required: false,
          description: 'The order of the list.',
        }),
      },
      cost: { ...connectionCost(50), weight: 50 },
      resolve: (statement, args, { database }, info) =>
        listStatementBatches({ ...statement, ...args }, pageRequest(args, info, 50), { database }),
    }),
  }),
});

const StatementConnection = connectionType('SponsorshipStatement', statementType);

builder.queryFields((t) => ({
  sponsorshipStatements: t.field({
    type: StatementConnection,
    description:
      'The statements of all months from that of the first redemption to the current one, newest first by default.',
    args: {
      ...connectionArgs(),
      orderBy: t.arg({
        type: StatementOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(12),
    authScopes: { manages: sponsorship },
    resolve: (_, args, { viewer, ...dependencies }, info) =>
      listStatements(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 12),
        dependencies,
      ),
  }),
  sponsorshipStatement: t.field({
    type: statementType,
    description: 'The statement of a month.',
    args: { month: t.arg(monthArg) },
    authScopes: { manages: sponsorship },
    resolve: (_, { month }, { viewer, ...dependencies }) =>
      readStatement({ organizationId: memberOf(viewer).organizationId, month }, dependencies),
  }),
}));
