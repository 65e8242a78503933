import { createHmac } from 'node:crypto';
import { inputError } from '../platform/errors.ts';
import { requireKeyForm } from '../platform/idempotency/key-form.ts';

const header = 'Idempotency-Key';

type Call = { method: string; operation: { takesFile: boolean } };

/** Calls that change something and are not the same when they come twice. A file is not kept in memory to compare it with another. */
export const takesIdempotencyKey = ({ method, operation }: Call): boolean => !operation.takesFile && ['POST', 'PUT', 'PATCH'].includes(method);

/** The key of a call that takes one. */
export function readIdempotencyKey(headers: Headers, call: Call): string | undefined {
  const key = headers.get('idempotency-key');
  // Whoever sends one must not believe that a file that comes twice is stored once.
  if (key !== null && call.operation.takesFile) throw inputError(header, 'INVALID', 'An upload takes no Idempotency-Key; the list of files tells what arrived');
  if (key === null || !takesIdempotencyKey(call)) return undefined;
  return requireKeyForm(key);
}

/**
 * What makes two requests the same: method, path and the bytes of the body. A slash at the path's end changes nothing.
 * With a secret, because a body can hold a password, and a plain hash of it would let whoever reads the database guess.
 */
export function fingerprintOf(secret: string, { method, pathname, body }: { method: string; pathname: string; body: Uint8Array }): Uint8Array {
  return createHmac('sha256', secret)
    .update(`idempotency\n${method} ${pathname.replace(/\/$/, '')}\n`)
    .update(body)
    .digest();
}
