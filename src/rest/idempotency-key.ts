import { createHmac } from 'node:crypto';
import { requireKeyForm } from '../platform/idempotency/key-form.ts';

type CallMethod = { method: string };

/** Whether a call takes an Idempotency-Key: it changes data and is not idempotent by itself. */
export const takesIdempotencyKey = ({ method }: CallMethod): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method);

/** Returns the Idempotency-Key of a call that takes one. */
export function readIdempotencyKey(headers: Headers, call: CallMethod): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null || !takesIdempotencyKey(call)) return undefined;
  return requireKeyForm(key);
}

/**
 * Returns a fingerprint of method, path and body. Requests with the same fingerprint are the same
 * request. A slash at the end of the path is ignored. The fingerprint is an HMAC with a secret: a
 * body can contain a password, and somebody who reads the database could guess it from a plain
 * hash.
 */
export function fingerprintOf(
  secret: string,
  { method, pathname, body }: { method: string; pathname: string; body: Uint8Array },
): Uint8Array {
  return createHmac('sha256', secret)
    .update(`idempotency\n${method} ${pathname.replace(/\/$/, '')}\n`)
    .update(body)
    .digest();
}
