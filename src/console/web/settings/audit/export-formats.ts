import { csvLines } from '../../ui/csv.ts';
import type { ExportFormat } from '../../ui/export.tsx';
import type { AuditEntryFieldsFragment } from './documents.ts';

type AuditFormat = ExportFormat<AuditEntryFieldsFragment>;

const columns = [
  'at',
  'actorKind',
  'actorName',
  'actorUserId',
  'actorKeyId',
  'action',
  'targetType',
  'targetId',
  'targetName',
  'changes',
  'requestId',
  'network',
  'device',
] as const satisfies (keyof AuditEntryFieldsFragment)[];

/** The changes are one object: of a field the value, or what it was and became. */
const cellOf = (entry: AuditEntryFieldsFragment, column: (typeof columns)[number]) =>
  column === 'changes'
    ? Object.fromEntries(
        entry.changes.map(({ field, value, before }) => [
          field,
          before === null ? value : { from: before, to: value },
        ]),
      )
    : entry[column];

/** CSV for spreadsheets. */
export const csvFormat: AuditFormat = {
  name: 'audit-log.csv',
  type: 'text/csv;charset=utf-8',
  header: csvLines([columns]),
  formatRows: (entries) =>
    csvLines(entries.map((entry) => columns.map((column) => cellOf(entry, column)))),
};

/** JSON Lines for programs: one JSON object per line. */
export const jsonlFormat: AuditFormat = {
  name: 'audit-log.jsonl',
  type: 'application/jsonl',
  header: '',
  formatRows: (entries) =>
    entries
      .map(
        (entry) =>
          `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, cellOf(entry, column)])))}\n`,
      )
      .join(''),
};
