import type { AuditEntryFieldsFragment } from './documents.ts';

export type ExportFormat = {
  name: string;
  type: string;
  header: string;
  formatRows: (entries: readonly AuditEntryFieldsFragment[]) => string;
};

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

const formatCell = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '');

/** CSV for spreadsheets. A value that a spreadsheet would run as a formula is escaped. */
export async function csvFormat(): Promise<ExportFormat> {
  const { unparse } = (await import('papaparse')).default;
  const formatRows: ExportFormat['formatRows'] = (entries) =>
    entries.length === 0
      ? ''
      : `${unparse(
          entries.map((entry) => columns.map((column) => formatCell(entry[column]))),
          { escapeFormulae: true },
        )}\r\n`;
  return {
    name: 'audit-log.csv',
    type: 'text/csv;charset=utf-8',
    header: `${columns.join(',')}\r\n`,
    formatRows,
  };
}

/** JSON Lines for programs: one JSON object per line. */
export const jsonlFormat: ExportFormat = {
  name: 'audit-log.jsonl',
  type: 'application/jsonl',
  header: '',
  formatRows: (entries) =>
    entries
      .map(
        (entry) =>
          `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, entry[column]])))}\n`,
      )
      .join(''),
};
