import { InputFault } from '../../platform/input-fault.ts';
import { isStorable } from '../../platform/plain-text.ts';
import { parseHostName } from './host-name.ts';

export const emailExpectation = 'an e-mail address such as ada@example.com';
export const addressCharactersMax = 254;
// Direction overrides and zero-width characters make one address look like another.
const invisible = /\p{Default_Ignorable_Code_Point}/u;
const localPart = /^[^\s\p{Cc}@"(),:;<>[\\\]]{1,64}$/u;

/**
 * Converts an address to the form in which addresses are stored and compared: trimmed, lower case,
 * the domain in ASCII. Returns undefined if the value is not an address.
 */
export function parseEmailAddress(value: unknown): string | undefined {
  if (!isStorable(value) || value.length > 1_000) return undefined;
  const text = value.trim();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at)).normalize('NFC').toLowerCase();
  const domain = parseHostName(text.slice(at + 1));
  if (
    domain === undefined ||
    !localPart.test(local) ||
    local.startsWith('.') ||
    local.endsWith('.') ||
    local.includes('..') ||
    invisible.test(local)
  )
    return undefined;
  const address = `${local}@${domain}`;
  return address.length <= addressCharactersMax ? address : undefined;
}

/** As `parseEmailAddress`, but throws for an invalid text; the error says what is wrong. */
export function readEmailAddress(value: unknown): string | undefined {
  const address = parseEmailAddress(value);
  if (address !== undefined || typeof value !== 'string') return address;
  throw new InputFault(
    'INVALID_FORMAT',
    `must be ${emailExpectation}, but ${describeFault(value.trim())}`,
  );
}

function describeFault(text: string): string {
  if (text === '') return 'is empty';
  if (text.length > addressCharactersMax) return `has more than ${addressCharactersMax} characters`;
  const at = text.lastIndexOf('@');
  if (at < 0) return 'has no @';
  if (text.indexOf('@') < at) return 'has more than one @';
  return parseHostName(text.slice(at + 1)) === undefined
    ? 'what follows the @ is not a host name'
    : 'what stands before the @ is not valid';
}
