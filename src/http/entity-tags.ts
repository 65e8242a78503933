import { hash } from 'node:crypto';
import { AppError } from '../platform/errors.ts';

/** The entity tag of a resource: a hash of the body that answers a GET of it. */
export const entityTagOf = (text: string): string =>
  `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;

const tagForm = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * The tag of a representation in a content coding. A strong tag names the bytes that were sent, so
 * `"abc"` becomes `"abc.br"` (RFC 9110, section 8.8.3.3).
 */
export const codedTag = (tag: string, coding: string): string => `${tag.slice(0, -1)}.${coding}"`;

const codingSuffix = /\.(?:br|gzip)$/;

/**
 * The tag of an If-Match or If-None-Match header that names the same state as `tag`, in any content
 * coding; undefined if the header lists none (RFC 9110, section 13.1). Weak comparison is enough to
 * answer "not modified", and not enough to allow a change.
 */
export function listedTag(
  header: string | null,
  tag: string,
  { weakly }: { weakly: boolean },
): string | undefined {
  if (header === null) return undefined;
  if (header.trim() === '*') return tag;
  for (const [, weak, value = ''] of header.matchAll(tagForm))
    if ((weakly || weak === undefined) && `"${value.replace(codingSuffix, '')}"` === tag)
      return `"${value}"`;
  return undefined;
}

/** Refuses a request whose If-Match lists other versions only (RFC 9110, section 13.1.1). */
export function requireMatch(headers: Headers, tag: string): void {
  const ifMatch = headers.get('if-match');
  if (ifMatch !== null && listedTag(ifMatch, tag, { weakly: false }) === undefined)
    throw new AppError('PRECONDITION_FAILED', 'It has changed since; read it again');
}

/** Refuses a change whose If-None-Match lists this version (RFC 9110, section 13.1.2). */
export function requireNoMatch(headers: Headers, tag: string): void {
  if (listedTag(headers.get('if-none-match'), tag, { weakly: true }) !== undefined)
    throw new AppError('PRECONDITION_FAILED', 'If-None-Match names the version that is there');
}
