import Papa from 'papaparse';
import type { WholeRedemption } from './read-redemptions.ts';

const columns: readonly {
  title: string;
  cell: (row: WholeRedemption) => string | number | null;
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

// Names and reasons are written by others: what a table would take for a formula is quoted (OWASP,
// CSV injection).
const lines = (rows: readonly (readonly unknown[])[]): string =>
  `${Papa.unparse([...rows.map((row) => [...row])], { escapeFormulae: true, newline: '\r\n' })}\r\n`;

/** The first line, after the mark by which spreadsheets know UTF-8. */
export const csvHead = `\uFEFF${lines([columns.map(({ title }) => title)])}`;

export const csvOf = (rows: readonly WholeRedemption[]): string =>
  lines(rows.map((row) => columns.map(({ cell }) => cell(row))));
