import { createHmac } from 'node:crypto';
import { requireKeyForm } from '../platform/idempotency/key-form.ts';

type Call = { method: string };

/** Calls that change something and are not the same when they come twice. */
export const takesIdempotencyKey = ({ method }: Call): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method);

/** The key of a call that takes one. */
export function readIdempotencyKey(headers: Headers, call: Call): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null || !takesIdempotencyKey(call)) return undefined;
  return requireKeyForm(key);
}

/**
 * What makes two requests the same: method, path and the bytes of the body. A slash at the path's
 * end changes nothing. With a secret, because a body can hold a password, and a plain hash of it
 * would let whoever reads the database guess.
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
