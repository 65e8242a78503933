import type { EntryPartsFragment } from './documents.ts';

export type Format = {
  name: string;
  type: string;
  head: string;
  rowsOf: (entries: readonly EntryPartsFragment[]) => string;
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
] as const satisfies (keyof EntryPartsFragment)[];

const cellOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '');

/** For spreadsheets: what could be read as a formula is written as text. */
export async function csvFormat(): Promise<Format> {
  const { unparse } = (await import('papaparse')).default;
  const rowsOf: Format['rowsOf'] = (entries) =>
    entries.length === 0
      ? ''
      : `${unparse(
          entries.map((entry) => columns.map((column) => cellOf(entry[column]))),
          { escapeFormulae: true },
        )}\r\n`;
  return {
    name: 'audit-log.csv',
    type: 'text/csv;charset=utf-8',
    head: `${columns.join(',')}\r\n`,
    rowsOf,
  };
}

/** For programs: one JSON object a line. */
export const jsonlFormat: Format = {
  name: 'audit-log.jsonl',
  type: 'application/jsonl',
  head: '',
  rowsOf: (entries) =>
    entries
      .map(
        (entry) =>
          `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, entry[column]])))}\n`,
      )
      .join(''),
};
