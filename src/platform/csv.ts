/** A line of CSV (RFC 4180) with its line end. Null and undefined are empty cells. */
export const csvLine = (values: readonly unknown[]): string =>
  `${values.map(csvCell).join(',')}\r\n`;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = withoutFormulas(typeof value === 'string' ? value : JSON.stringify(value));
  return /[",;\t\r\n\uFEFF]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A spreadsheet executes a text that begins with one of these characters, also in its full-width
 * form, as a formula. An apostrophe makes it a text (OWASP, CSV injection). Names and reasons come
 * from other people.
 */
const withoutFormulas = (text: string): string =>
  (/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text).replaceAll(laterFormula, "$1'");

/**
 * The place before a formula within a text. Where the decimal separator is a comma, as in German,
 * Excel takes semicolons for the separators of cells. There a cell of ours begins in the middle of
 * one of Excel's, whose quotes do not protect the semicolon or the line break.
 */
const laterFormula = /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g;
