import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createPdf, type PdfPart } from '../../../platform/pdf/create-pdf.ts';
import { readStatement } from './read-statement.ts';
import {
  detailRowsMax,
  readStatementDetails,
  type StatementDetails,
} from './read-statement-details.ts';
import type { Statement } from './read-statements.ts';
import { reconcileStatement, type StatementReconciliation } from './reconcile-statement.ts';
import { type StatementLanguage, statementTexts } from './statement-pdf-texts.ts';

type WriteStatementPdfInput = {
  organizationId: string;
  month: string;
  language: StatementLanguage;
};

type StatementContent = {
  organizationName: string;
  statement: Statement;
  reconciliation: StatementReconciliation;
  details: StatementDetails;
};

/**
 * Makes the statement of a month as a PDF. One snapshot of the database is read, so that its sums
 * agree with its rows. The same data gives the same bytes.
 */
export async function writeStatementPdf(
  { organizationId, month, language }: WriteStatementPdfInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<{ name: string; bytes: Buffer }> {
  const content = await database.transact(
    async (tx): Promise<StatementContent> => {
      const statement = await readStatement({ organizationId, month }, { database: tx, clock });
      const [organization] = await tx.sql<{ name: string }>`
        select name from organizations where id = ${organizationId}`;
      return {
        organizationName: organization?.name ?? '',
        statement,
        reconciliation: await reconcileStatement(statement, tx),
        details: await readStatementDetails(statement, tx),
      };
    },
    { isRepeatableRead: true },
  );
  const { organizationName, statement } = content;
  const texts = statementTexts[language];
  const monthName = new Intl.DateTimeFormat(texts.locale, {
    ...{ month: 'long', year: 'numeric', timeZone: 'UTC' },
  }).format(statement.month.start);
  const title = texts.title(monthName);
  const bytes = await createPdf({
    title,
    language: texts.locale,
    date: statement.month.end,
    footer: `${organizationName} · ${title}`,
    pageOf: texts.pageOf,
    parts: [{ kind: 'title', text: title }, ...partsOf(content, language)],
    replacedNote: texts.replacedNote,
  });
  return { name: `${texts.file}-${month}.pdf`, bytes };
}

function partsOf(
  { organizationName, statement, reconciliation, details }: StatementContent,
  language: StatementLanguage,
): PdfPart[] {
  const texts = statementTexts[language];
  const { columns, statuses } = texts;
  const { format: count } = new Intl.NumberFormat(texts.locale);
  // Amounts are stored with ten decimals. Rounded rows would not add up to the rounded total.
  const { format: euro } = new Intl.NumberFormat(texts.locale, {
    ...{ style: 'currency', currency: 'EUR' },
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 10 },
  });
  const { format: day } = new Intl.DateTimeFormat(texts.locale, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
  const { month, now, billable } = statement;
  const more = ({ hasMore }: { hasMore: boolean }, rowsMax: number): PdfPart[] =>
    hasMore ? [{ kind: 'note', text: texts.more(count(rowsMax)) }] : [];
  const amount = (redemptions: number, amountEur: number) =>
    `${count(redemptions)} (${euro(amountEur)})`;

  const parts: PdfPart[] = [
    { kind: 'text', text: organizationName },
    { kind: 'text', text: texts.period(day(month.start), day(new Date(month.end.getTime() - 1))) },
  ];
  if (month.end > now) parts.push({ kind: 'text', text: texts.provisional });
  parts.push(
    ...(['began', 'extended', 'ended'] as const).map(
      (name): PdfPart => ({ kind: 'text', text: `${columns[name]}: ${count(statement[name])}` }),
    ),
    { kind: 'heading', text: texts.byBillingStatus },
    {
      kind: 'table',
      columns: [
        { title: columns.status, width: 3 },
        { title: columns.redemptions, width: 1, align: 'right' },
        { title: columns.amount, width: 1, align: 'right' },
      ],
      rows: [
        ...statement.byBillingStatus.map(({ billingStatus, redemptions, amountEur }) => [
          ...[statuses[billingStatus], count(redemptions), euro(amountEur)],
        ]),
        [texts.total, count(billable.redemptions), euro(billable.amountEur)],
      ],
      hasSum: true,
    },
    { kind: 'note', text: texts.billedOnce },
    ...reconciliationParts(),
  );
  if (details.entries.rows.length === 0) return [...parts, { kind: 'text', text: texts.nothing }];
  return [
    ...parts,
    { kind: 'heading', text: texts.byCampaign },
    {
      kind: 'table',
      columns: [
        { title: columns.campaign, width: 4 },
        ...(['began', 'extended', 'ended', 'billable', 'amount'] as const).map((name) => ({
          ...{ title: columns[name], width: 1.2, align: 'right' as const },
        })),
      ],
      rows: details.campaigns.rows.map((campaign) => [
        campaign.name,
        ...[count(campaign.began), count(campaign.extended), count(campaign.ended)],
        ...[count(campaign.billableRedemptions), euro(campaign.billableEur)],
      ]),
    },
    ...more(details.campaigns, detailRowsMax.campaigns),
    ...batchParts(),
    { kind: 'heading', text: texts.entries },
    {
      kind: 'table',
      columns: [
        { title: columns.at, width: 46 },
        { title: columns.event, width: 48 },
        { title: columns.workspace, width: 90 },
        { title: columns.redeemedBy, width: 112 },
        { title: columns.campaign, width: 78 },
        { title: columns.status, width: 70 },
        { title: columns.amount, width: 55, align: 'right' },
      ],
      rows: details.entries.rows.map((entry) => [
        ...[utcDay(entry.at), texts.kinds[entry.kind]],
        ...[entry.organizationName, entry.userEmail, entry.campaignName],
        entry.billingStatus === null ? '' : statuses[entry.billingStatus],
        entry.billingAmount === null ? '' : euro(entry.billingAmount),
      ]),
    },
    ...more(details.entries, detailRowsMax.entries),
  ];

  function reconciliationParts(): PdfPart[] {
    const { differences, unvalued, redemptions } = reconciliation;
    const results: PdfPart[] =
      differences.length === 0
        ? [{ kind: 'text', text: texts.agrees(count(redemptions)) }]
        : differences.map((row) => ({
            kind: 'text',
            text: texts.differs(
              statuses[row.billingStatus],
              amount(row.countedRedemptions, row.countedAmountEur),
              amount(row.recordedRedemptions, row.recordedAmountEur),
            ),
          }));
    if (unvalued > 0) results.push({ kind: 'text', text: texts.unvalued(count(unvalued)) });
    return results;
  }

  function batchParts(): PdfPart[] {
    if (details.batches.rows.length === 0) return [];
    return [
      { kind: 'heading', text: texts.byBatch },
      {
        kind: 'table',
        columns: [
          { title: columns.batch, width: 3 },
          { title: columns.status, width: 2 },
          { title: columns.redemptions, width: 1, align: 'right' },
          { title: columns.amount, width: 1.2, align: 'right' },
        ],
        rows: details.batches.rows.map(({ batchId, billingStatus, redemptions, amountEur }) => [
          ...[batchId ?? texts.noBatch, statuses[billingStatus]],
          ...[count(redemptions), euro(amountEur)],
        ]),
      },
      ...more(details.batches, detailRowsMax.batches),
    ];
  }
}

/** The same form in every language, because it sorts. */
const utcDay = (at: string) => at.slice(0, 10);
