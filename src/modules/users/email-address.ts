import { builder } from '../../graph/builder.ts';
import { isStorable, scalar } from '../../graph/scalars.ts';
import { parseHostName } from './host-name.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    EmailAddress: { Input: string; Output: string };
  }
}

const localPart = /^[^\s\p{Cc}@"(),:;<>[\\\]]{1,64}$/u;

/** The form in which addresses are kept and compared: trimmed, lower case, the domain in ASCII. */
export function parseEmailAddress(value: unknown): string | undefined {
  if (!isStorable(value) || value.length > 1_000) return undefined;
  const text = value.trim();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at)).normalize('NFC').toLowerCase();
  const domain = parseHostName(text.slice(at + 1));
  if (domain === undefined || !localPart.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..')) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= 254 ? address : undefined;
}

builder.addScalarType(
  'EmailAddress',
  scalar(
    'EmailAddress',
    {
      expectation: 'an e-mail address',
      description: 'An e-mail address; kept in lower case, its domain in ASCII.',
      jsonSchema: { type: 'string', format: 'email', maxLength: 254 },
    },
    parseEmailAddress,
  ),
);
