import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import type { EntryKind } from './statement-entry.ts';

export const statementLanguages = ['EN', 'DE'] as const;
export type StatementLanguage = (typeof statementLanguages)[number];

type StatementTexts = {
  locale: string;
  title: (month: string) => string;
  file: string;
  period: (first: string, last: string) => string;
  provisional: string;
  billedOnce: string;
  agrees: (redemptions: string) => string;
  differs: (status: string, counted: string, recorded: string) => string;
  unvalued: (redemptions: string) => string;
  byBillingStatus: string;
  byCampaign: string;
  byBatch: string;
  entries: string;
  more: (shown: string) => string;
  nothing: string;
  columns: Record<
    | 'status'
    | 'redemptions'
    | 'amount'
    | 'campaign'
    | 'began'
    | 'extended'
    | 'ended'
    | 'billable'
    | 'batch'
    | 'at'
    | 'event'
    | 'workspace'
    | 'redeemedBy',
    string
  >;
  total: string;
  noBatch: string;
  statuses: Record<BillingStatus, string>;
  kinds: Record<EntryKind, string>;
  pageOf: (page: number, pages: number) => string;
  replacedNote: string;
};

/** The words of a statement as a PDF. */
export const statementTexts: Record<StatementLanguage, StatementTexts> = {
  EN: {
    locale: 'en-GB',
    title: (month) => `Sponsorship statement, ${month}`,
    file: 'sponsorship-statement',
    period: (first, last) => `From ${first} to ${last}, in UTC.`,
    provisional: 'The month is not over: everything in this statement can still change.',
    billedOnce:
      'A redemption is billed in the month in which its sponsorship began, unless it is waived. Amounts have the billing status of today.',
    agrees: (redemptions) =>
      `Reconciled: the redemptions (${redemptions}) and their amounts agree with the totals of billing for every billing status.`,
    differs: (status, counted, recorded) =>
      `Not reconciled, ${status}: this statement has ${counted}, the totals of billing have ${recorded}.`,
    unvalued: (redemptions) =>
      `Redemptions without a billing amount: ${redemptions}. They count as 0.`,
    byBillingStatus: 'Billing status',
    byCampaign: 'Campaigns',
    byBatch: 'Billing batches',
    entries: 'Entries',
    more: (shown) =>
      `Only the first ${shown} are shown. The CSV file of the month has all entries.`,
    nothing: 'Nothing happened in this month.',
    columns: {
      status: 'Status',
      redemptions: 'Redemptions',
      amount: 'Amount',
      campaign: 'Campaign',
      began: 'Began',
      extended: 'Extended',
      ended: 'Ended',
      billable: 'Billable',
      batch: 'Batch',
      at: 'Date',
      event: 'Event',
      workspace: 'Workspace',
      redeemedBy: 'Redeemed by',
    },
    total: 'Billable in total',
    noBatch: 'No batch',
    statuses: {
      UNBILLED: 'Unbilled',
      BILLED: 'Billed',
      DISPUTED: 'Disputed',
      WAIVED: 'Waived',
    },
    kinds: { BEGAN: 'Began', EXTENDED: 'Extended', ENDED: 'Ended' },
    pageOf: (page, pages) => `Page ${page} of ${pages}`,
    replacedNote:
      'The sign □ stands for a character that the font of this file does not have. The CSV file has all characters.',
  },
  DE: {
    locale: 'de-DE',
    title: (month) => `Sponsoring-Abrechnung, ${month}`,
    file: 'sponsoring-abrechnung',
    period: (first, last) => `Vom ${first} bis zum ${last}, in UTC.`,
    provisional:
      'Der Monat ist noch nicht zu Ende: Alles in dieser Abrechnung kann sich noch ändern.',
    billedOnce:
      'Eine Einlösung wird in dem Monat abgerechnet, in dem ihr Sponsoring begonnen hat, sofern sie nicht erlassen ist. Die Beträge haben den heutigen Abrechnungsstatus.',
    agrees: (redemptions) =>
      `Abgeglichen: Die Einlösungen (${redemptions}) und ihre Beträge stimmen in jedem Abrechnungsstatus mit den Summen der Abrechnung überein.`,
    differs: (status, counted, recorded) =>
      `Nicht abgeglichen, ${status}: Diese Abrechnung hat ${counted}, die Summen der Abrechnung haben ${recorded}.`,
    unvalued: (redemptions) =>
      `Einlösungen ohne Abrechnungsbetrag: ${redemptions}. Sie zählen als 0.`,
    byBillingStatus: 'Abrechnungsstatus',
    byCampaign: 'Kampagnen',
    byBatch: 'Abrechnungsläufe',
    entries: 'Einträge',
    more: (shown) =>
      `Nur die ersten ${shown} sind aufgeführt. Die CSV-Datei des Monats hat alle Einträge.`,
    nothing: 'In diesem Monat ist nichts geschehen.',
    columns: {
      status: 'Status',
      redemptions: 'Einlösungen',
      amount: 'Betrag',
      campaign: 'Kampagne',
      began: 'Begonnen',
      extended: 'Verlängert',
      ended: 'Beendet',
      billable: 'Abrechenbar',
      batch: 'Abrechnungslauf',
      at: 'Datum',
      event: 'Ereignis',
      workspace: 'Arbeitsbereich',
      redeemedBy: 'Eingelöst von',
    },
    total: 'Abrechenbar insgesamt',
    noBatch: 'Ohne Abrechnungslauf',
    statuses: {
      UNBILLED: 'Nicht abgerechnet',
      BILLED: 'Abgerechnet',
      DISPUTED: 'Strittig',
      WAIVED: 'Erlassen',
    },
    kinds: { BEGAN: 'Begonnen', EXTENDED: 'Verlängert', ENDED: 'Beendet' },
    pageOf: (page, pages) => `Seite ${page} von ${pages}`,
    replacedNote:
      'Das Zeichen □ steht für ein Zeichen, das die Schrift dieser Datei nicht hat. Die CSV-Datei hat alle Zeichen.',
  },
};
