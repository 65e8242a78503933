import { inputError } from '../errors.ts';

export const idempotencyKeyCharsMax = 255;

// Spaces are not allowed: node:http joins two headers with a comma and a space, so the joined value
// is rejected.
export const idempotencyKeyForm = '^[!-~]+$';
const form = new RegExp(idempotencyKeyForm);

export function requireKeyForm(key: string): string {
  if (!form.test(key) || key.length > idempotencyKeyCharsMax)
    throw inputError(
      'Idempotency-Key',
      'INVALID_FORMAT',
      `Idempotency-Key must be 1 to ${idempotencyKeyCharsMax} printable ASCII characters without a space`,
    );
  return key;
}
