import { memberOf } from '../../../access/scopes.ts';
import { watchAccess } from '../../../access/watch-access.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { sizedByParent } from '../../../graph/schema/field-cost.ts';
import { sponsorship } from '../../organizations/features.ts';
import { BillingStatusType } from '../redemptions/redemption.graphql.ts';
import { entryBatchMax, exportStatementEntries } from './export-statement-entries.ts';
import { listStatementEntries } from './list-statement-entries.ts';
import { requireStatementMonth } from './require-statement-month.ts';
import { monthArg } from './statement.graphql.ts';
import type { EntryKind, StatementEntry } from './statement-entry.ts';

const StatementEntryKind = builder.enumType('SponsorshipStatementEntryKind', {
  description: 'What happened to a sponsorship.',
  values: {
    BEGAN: { description: 'A workspace was created through a link.' },
    EXTENDED: { description: 'The end was moved to a later time.' },
    ENDED: { description: 'The end passed, also if the sponsorship was extended afterwards.' },
  } satisfies Record<EntryKind, object>,
});

const StatementEntryType = builder
  .objectRef<StatementEntry>('SponsorshipStatementEntry')
  .implement({
    description:
      'Something that happened to a sponsorship. Its billing stands in the entry with which it began and is null in the others, so that the amounts of all entries can be added up.',
    fields: (t) => ({
      id: t.exposeID('id', {
        description: 'The id of the entry, an opaque string that never changes.',
      }),
      kind: t.expose('kind', { type: StatementEntryKind, description: 'What happened.' }),
      at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
      endBefore: t.expose('endBefore', {
        type: 'DateTime',
        nullable: true,
        description: 'The end before an extension; null for the other kinds.',
      }),
      endAfter: t.expose('endAfter', {
        type: 'DateTime',
        nullable: true,
        description: 'The end after an extension; null for the other kinds.',
      }),
      isBillable: t.exposeBoolean('isBillable', {
        description: 'Whether it is a sponsorship that began and is not waived.',
      }),
      billingStatus: t.expose('billingStatus', {
        type: BillingStatusType,
        nullable: true,
        description: 'The billing status of a sponsorship that began.',
      }),
      billingAmount: t.expose('billingAmount', {
        type: 'Decimal',
        nullable: true,
        description: 'The billing amount of a sponsorship that began, in euro.',
      }),
      billedAt: t.expose('billedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When a sponsorship that began was billed; null while unbilled.',
      }),
      billingBatchId: t.exposeString('billingBatchId', {
        nullable: true,
        description: 'The partner’s id of the batch or invoice of a sponsorship that began.',
      }),
      redemptionId: t.exposeID('redemptionId', { description: 'The id of the redemption.' }),
      organizationName: t.exposeString('organizationName', {
        description: 'The name of the sponsored organization.',
      }),
      userEmail: t.exposeString('userEmail', {
        description: 'The e-mail address of the person who redeemed, at that time.',
      }),
      campaignId: t.exposeID('campaignId', { description: 'The id of the campaign.' }),
      campaignName: t.exposeString('campaignName', {
        description: 'The current name of the campaign.',
      }),
      linkName: t.exposeString('linkName', { description: 'The current name of the link.' }),
    }),
  });

const StatementEntryConnection = connectionType('SponsorshipStatementEntry', StatementEntryType);

const StatementEntryOrder = orderType('SponsorshipStatementEntryOrder', {
  AT: 'When it happened.',
});

const StatementEntryBatch = builder
  .objectRef<StatementEntry[]>('SponsorshipStatementEntryBatch')
  .implement({
    description: 'The next entries of an export.',
    fields: (t) => ({
      items: t.field({
        type: [StatementEntryType],
        description: 'Entries, oldest first.',
        cost: { listSize: sizedByParent },
        resolve: (rows) => rows,
      }),
    }),
  });

builder.queryField('sponsorshipStatementEntries', (t) =>
  t.field({
    type: StatementEntryConnection,
    description: 'What happened to sponsorships in a month, oldest first by default.',
    args: {
      month: t.arg(monthArg),
      kind: t.arg({
        type: StatementEntryKind,
        required: false,
        description: 'Only entries of this kind.',
      }),
      ...connectionArgs(),
      orderBy: t.arg({
        type: StatementEntryOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(50),
    authScopes: { manages: sponsorship },
    resolve: async (_, { month, ...args }, { viewer, ...dependencies }, info) => {
      const request = pageRequest(args, info, 50);
      const { organizationId } = memberOf(viewer);
      const scope = await requireStatementMonth({ organizationId, month }, dependencies);
      return listStatementEntries({ ...scope, ...args }, request, dependencies);
    },
  }),
);

builder.subscriptionField('sponsorshipStatementExport', (t) =>
  t.field({
    type: StatementEntryBatch,
    description: `All entries of the statement of a month, oldest first, in batches of ${entryBatchMax}.`,
    args: { month: t.arg(monthArg) },
    cost: { listSize: { assumedSize: entryBatchMax, sizedFields: ['items'] } },
    authScopes: { manages: sponsorship },
    subscribe: async (_, { month }, context) => {
      const { organizationId } = memberOf(context.viewer);
      const requireStatement = () => requireStatementMonth({ organizationId, month }, context);
      const scope = await requireStatement();
      return batches();

      async function* batches() {
        const { signal, stop } = watchAccess(context, { manages: sponsorship }, requireStatement);
        try {
          yield* exportStatementEntries({ ...scope, signal }, context);
        } finally {
          stop();
        }
      }
    },
    resolve: (rows) => rows,
  }),
);
