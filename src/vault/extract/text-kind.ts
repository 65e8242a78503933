import { detectCsvFormat } from './csv-format.ts';

type TextKind = 'html' | 'json' | 'eml' | 'csv' | 'markdown' | 'text';

/**
 * Detects the kind of a text by its first 64 KiB. Kinds are checked from the most to the least
 * certain; the first match counts.
 */
export function textKindOf(head: string, isCut: boolean): TextKind {
  if (htmlStart.test(head)) return 'html';
  if (isJson(head, isCut)) return 'json';
  if (isMail(head)) return 'eml';
  if (isMarkdown(head)) return 'markdown';
  if (detectCsvFormat(head, isCut)) return 'csv';
  return 'text';
}

/**
 * The text begins with an HTML element, after comments, an XML declaration or a document type at
 * most.
 */
const htmlStart =
  /^\s*(?:(?:<\?xml[^>]{0,500}\?>|<!--(?:(?!-->)[\s\S]){0,5000}-->)\s*)*<(?:!doctype\s+html|html|head|body|title|meta|table|div|p|h[1-6]|ul|ol|article|section|main)\b/i;

/**
 * A complete text is JSON if it parses. A cut text, or one value per line, is JSON if it begins as
 * JSON and its first line parses or its first tokens are valid.
 */
function isJson(head: string, isCut: boolean): boolean {
  const text = head.trim();
  if (!/^[[{]/.test(text)) return false;
  if (!isCut && parses(text)) return true;
  const [first = '', second = ''] = text.split('\n', 2);
  if (parses(first) && (second === '' ? !isCut : /^\s*[[{]/.test(second))) return true;
  if (!isCut) return false;
  return jsonStart.test(text) || (numberListStart.test(text) && isStartOfJson(text));
}

const jsonStart =
  /^(?:\{\s*(?:"(?:[^"\\\n]|\\.){0,1000}"\s*:|\})|\[\s*(?:[[{"]|true|false|null|\]))/;
/** Footnotes and lines of logs begin like a list of numbers: "[1] See …", "[ 0.014] Linux …". */
const numberListStart = /^\[\s*[\d-]/;

/** Whether a cut text has no fault before its end. */
function isStartOfJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    return position === undefined || Number(position) >= text.length - 1;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A text is an e-mail if all lines before the first blank line are headers and at least two of them
 * are headers of e-mails.
 */
function isMail(head: string): boolean {
  const lines =
    head
      .replace(/^From .*\n/, '')
      .split(/\n\n/, 1)[0]
      ?.replaceAll(/\n[ \t]+/g, ' ')
      .split('\n') ?? [];
  const names = lines.map((line) => /^([!-9;-~]+):/.exec(line)?.[1]?.toLowerCase());
  if (names.slice(0, -1).includes(undefined)) return false;
  return (
    names.some((name) => name && routeHeaders.has(name)) &&
    new Set(names.filter((name) => name && mailHeaders.has(name))).size >= 2
  );
}

const routeHeaders = new Set([
  'from',
  'received',
  'return-path',
  'delivered-to',
  'message-id',
  'mime-version',
]);
const mailHeaders = new Set([
  ...routeHeaders,
  'to',
  'cc',
  'subject',
  'date',
  'reply-to',
  'content-type',
  'x-mailer',
]);

/**
 * A text is Markdown if it has two different kinds of Markdown syntax, or one that nothing else
 * uses.
 */
function isMarkdown(head: string): boolean {
  const lines = head.split('\n', 2_000);
  const count = (form: RegExp) => lines.filter((line) => form.test(line)).length;
  if (
    count(/^ {0,3}(?:```|~~~)/) >= 2 ||
    count(/^ {0,3}\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$/) >= 1
  )
    return true;
  const marks = [
    /^#{1,6} \S/,
    /^ {0,3}[-*+] \S/,
    /\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/,
    /\*\*[^*\n]{1,200}\*\*/,
    /^> /,
    /^ {0,3}(?:={3,}|-{3,})$/,
  ];
  const kinds = marks.filter((mark) => count(mark) > 0).length;
  return (
    kinds >= 2 ||
    count(/^#{2,6} \S/) >= 1 ||
    (count(/^# \S/) === 1 && lines.find((line) => line.trim() !== '')?.startsWith('# ') === true)
  );
}
