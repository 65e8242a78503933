/** What stands in place of removed text. */
const emailMark = '[e-mail]';
const numberMark = '[number]';

const localPart = /[\p{L}\p{N}._%+'-]{1,64}$/u;
const domain = /^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/u;
const localPartMax = 64;
const domainMax = 600;
/** An IBAN, with or without spaces. */
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g;
/** Five digits or more, with single separators in between: telephone, account and card numbers. */
const number = /\+?\(?\d(?:[ ()./-]{0,2}\d){4,39}/g;

/** Replaces e-mail addresses and numbers of at least five digits. */
export const redactText = (text: string): string =>
  redactEmails(text).replace(iban, numberMark).replace(number, numberMark);

/**
 * Looks around each @ only: a pattern for the whole address tries every character as its beginning,
 * which takes seconds for a megabyte.
 */
function redactEmails(text: string): string {
  let redacted = '';
  let end = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, end))) {
    const [before] = localPart.exec(text.slice(Math.max(end, at - localPartMax), at)) ?? [];
    const [after] = domain.exec(text.slice(at + 1, at + 1 + domainMax)) ?? [];
    if (before === undefined || after === undefined) continue;
    redacted += text.slice(end, at - before.length) + emailMark;
    end = at + 1 + after.length;
  }
  return redacted + text.slice(end);
}

/** The names of properties whose values are no text of a person. */
const kept: ReadonlySet<string> = new Set([
  ...['type', 'role', 'toolCallId', 'toolName', 'documentId', 'versionId'],
]);

/** Redacts every text in a JSON value. Ids stay, because messages refer to each other by them. */
export function redactJson(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, kept.has(name) ? item : redactJson(item)]),
  );
}
