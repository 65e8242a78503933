import { csvLine } from '../../../platform/csv.ts';

/** Lines of CSV (RFC 4180), each with its line end. */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  rows.map(csvLine).join('');
