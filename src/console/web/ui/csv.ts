/** Lines of CSV (RFC 4180), each with its line end. */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/**
 * Names and reasons come from other people. A text that a spreadsheet would run as a formula gets
 * an apostrophe in front of it (OWASP, CSV injection); a number does not need that.
 */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isFormula = /^[=+\-@\t\r]/.test(text);
  if (!isFormula && !/[",\r\n\uFEFF]|^ | $/.test(text)) return text;
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
