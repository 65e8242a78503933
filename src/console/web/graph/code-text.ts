import type { PlainKey } from '../texts/catalogue.ts';
import { formatDate } from '../texts/format.ts';
import { language } from '../texts/language.ts';
import { t, textWith } from '../texts/text.ts';
import { codeTexts, fieldNames, fileTexts, valueTexts } from './fault-codes.ts';

/** Fields of the forms below /auth/, with the rule that a value breaks. */
const fieldTexts: Readonly<Record<string, PlainKey>> = {
  email: 'faults.fieldEmail',
  firstName: 'faults.fieldFirstName',
  lastName: 'faults.fieldLastName',
  password: 'faults.fieldPassword',
};

/**
 * The text of an error in the language of the page, by the first of these codes that has one. The
 * server writes English, so its message is the text in English, and where no code has a text.
 */
export const codeText = (message: string, ...codes: readonly unknown[]): string =>
  translated(message, codeTexts, codes);

export const fieldText = (message: string, field: string): string =>
  translated(message, fieldTexts, [field]);

/** The text of why a file could not be read, or of a notice about it. */
export const fileText = ({ code, message }: { code: string; message: string }): string =>
  translated(message, fileTexts, [code]);

type InvalidValue = { path: readonly (string | number)[]; code: string; message: string };

/** The text of an invalid value, with the name of the last part of its path that people know. */
export function valueText({ path, code, message }: InvalidValue): string {
  const key = valueTexts[code];
  if (language() === 'en' || !key) return message;
  const name = path.findLast((part) => fieldNames[part] !== undefined);
  const field = fieldNames[name ?? ''];
  return textWith(key, { field: t(field ?? 'faults.aValue') });
}

/** The text of a request that can succeed after this time. */
export const rateLimitText = (message: string, retryAfterSeconds: number): string =>
  language() === 'en' || retryAfterSeconds < 60
    ? codeText(message, 'RATE_LIMITED')
    : t('faults.rateLimitedFor', { minutes: Math.ceil(retryAfterSeconds / 60) });

const serverTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const formatTime = (at: number): string =>
  formatDate(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });

/** The text of a budget that has room again after this time, in the time zone of the person. */
export const budgetText = (message: string, retryAfterSeconds: number): string =>
  language() === 'en'
    ? message.replaceAll(serverTime, (at) => formatTime(Date.parse(at)))
    : t('faults.budgetExhaustedUntil', { time: formatTime(Date.now() + retryAfterSeconds * 1000) });

function translated(
  message: string,
  texts: Readonly<Record<string, PlainKey>>,
  codes: readonly unknown[],
): string {
  if (language() === 'en') return message;
  const key = codes.map((code) => texts[String(code)]).find((text) => text !== undefined);
  return key ? t(key) : message;
}
