import type { Translation } from '../catalogue.ts';
import type { statements as english } from '../en/statements.ts';

export const statements = {
  statements: 'Abrechnungen',
  lead: 'Was in jedem Kalendermonat (UTC) begonnen hat, verlängert wurde, geendet hat und abrechenbar ist.',
  none: 'Noch keine Abrechnungen',
  noneHint: 'Die erste Abrechnung beginnt mit dem Monat der ersten Einlösung.',
  month: 'Monat',
  began: 'Begonnen',
  extended: 'Verlängert',
  ended: 'Beendet',
  billable: 'Abrechenbar',
  current: 'Laufender Monat',
  statementOf: 'Abrechnung für {month}',
  period: 'Vom {first} bis zum {last}, in UTC.',
  provisional: 'Der Monat ist noch nicht zu Ende: Alles auf dieser Seite kann sich noch ändern.',
  downloadPdf: 'PDF herunterladen',
  downloadCsv: 'CSV herunterladen',
  billableCount: '{count, plural, one {# Einlösung} other {# Einlösungen}} nicht erlassen',
  byBillingStatus: 'Abrechnungsstatus',
  billedOnce:
    'Eine Einlösung wird in dem Monat abgerechnet, in dem ihr Sponsoring begonnen hat, sofern sie nicht erlassen ist. Die Beträge haben den heutigen Abrechnungsstatus.',
  agrees:
    '<b>Abgeglichen.</b> {count, plural, one {Die Einlösung und ihr Betrag stimmen} other {Die # Einlösungen und ihre Beträge stimmen}} in jedem Abrechnungsstatus mit den Summen der Abrechnung überein.',
  differs:
    '<b>Nicht abgeglichen, {status}:</b> Diese Abrechnung hat {counted}, die Summen der Abrechnung haben {recorded}.',
  amountOf: '{count, number} ({amount})',
  unvalued:
    '{count, plural, one {# Einlösung hat keinen Abrechnungsbetrag und zählt} other {# Einlösungen haben keinen Abrechnungsbetrag und zählen}} als 0.',
  campaigns: 'Kampagnen',
  campaignsCaption: 'Sponsorings des Monats nach Kampagne',
  noEntries: 'In diesem Monat ist nichts geschehen',
  batches: 'Abrechnungsläufe',
  batchesCaption: 'Einlösungen des Monats nach Abrechnungslauf',
  batch: 'Abrechnungslauf',
  noBatch: 'Ohne Abrechnungslauf',
  noneBegan: 'In diesem Monat hat kein Sponsoring begonnen',
  entries: 'Einträge',
  entriesCaption: 'Was im Monat mit Sponsorings geschehen ist',
  event: 'Ereignis',
  all: 'Alle',
  date: 'Datum',
  newEnd: 'Neues Ende: {date}',
} as const satisfies Translation<typeof english>;
