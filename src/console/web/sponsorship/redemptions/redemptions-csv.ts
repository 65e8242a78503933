import Papa from 'papaparse';
import type { ExportedRedemption } from './read-redemptions.ts';

const columns: readonly {
  title: string;
  cell: (row: ExportedRedemption) => string | number | null;
}[] = [
  { title: 'Id', cell: ({ id }) => id },
  { title: 'Workspace', cell: ({ organizationName }) => organizationName },
  { title: 'Redeemed by', cell: ({ userEmail }) => userEmail },
  { title: 'Campaign', cell: ({ campaignName }) => campaignName },
  { title: 'Link', cell: ({ linkName }) => linkName },
  { title: 'Redeemed at', cell: ({ redeemedAt }) => redeemedAt },
  { title: 'Months', cell: ({ durationMonths }) => durationMonths },
  { title: 'Sponsored until', cell: ({ sponsoredUntil }) => sponsoredUntil },
  { title: 'Extended until', cell: ({ extendedUntil }) => extendedUntil },
  { title: 'Extension reason', cell: ({ extensionReason }) => extensionReason },
  { title: 'Included seats', cell: ({ includedSeats }) => includedSeats },
  { title: 'Price model', cell: ({ pricing }) => pricing?.model ?? null },
  { title: 'Price unit', cell: ({ pricing }) => pricing?.unit ?? null },
  { title: 'Price EUR', cell: ({ pricing }) => pricing?.amountEur ?? null },
  { title: 'Billing status', cell: ({ billingStatus }) => billingStatus },
  { title: 'Billing amount EUR', cell: ({ billingAmount }) => billingAmount },
  { title: 'Billed at', cell: ({ billedAt }) => billedAt },
  { title: 'Billing batch', cell: ({ billingBatchId }) => billingBatchId },
];

// Names and reasons come from other people. A cell that a spreadsheet would run as a formula is
// escaped (OWASP, CSV injection).
const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  `${Papa.unparse([...rows.map((row) => [...row])], { escapeFormulae: true, newline: '\r\n' })}\r\n`;

/** The header line, after the byte order mark by which spreadsheets recognize UTF-8. */
export const csvHeader = `\uFEFF${toCsv([columns.map(({ title }) => title)])}`;

export const toCsvRows = (rows: readonly ExportedRedemption[]): string =>
  toCsv(rows.map((row) => columns.map(({ cell }) => cell(row))));
