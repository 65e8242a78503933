import { isIP } from 'node:net';
import { z } from 'zod';
import { isUnavailable } from '../../../platform/database/faults.ts';
import { AppError } from '../../../platform/errors.ts';

/** The host name for which passkeys are created, and the origin of its pages. */
export type RelyingParty = { id: string; origin: string };

/** Browsers create passkeys only for host names, not for IP addresses. */
export function relyingPartyAt(origin: string): RelyingParty {
  const { hostname } = new URL(origin);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) {
    throw new AppError(
      'CONFLICT',
      'Passkeys need a host name: open Atrium under its name instead of its network address',
      'NO_HOST_NAME',
    );
  }
  return { id: hostname, origin };
}

/** The error is the same for every cause, including an unknown passkey. */
export const passkeyRejected = () =>
  new AppError(
    'UNAUTHENTICATED',
    'This passkey could not be checked. Please try again',
    'PASSKEY_WRONG',
  );

/**
 * Runs a verification of the library, which throws an ordinary error for each invalid value, and
 * throws `passkeyRejected` instead. Errors of the database pass unchanged.
 */
export async function rejectInvalidPasskey<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    throw isUnavailable(error) ? error : passkeyRejected();
  }
}

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
const commonFields = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
};
const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** The response of a browser that has created a passkey (`PublicKeyCredential.toJSON()`). */
export const newPasskeyResponse = z.object({
  ...commonFields,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(transport).max(10).default([]),
  }),
});

/** The response of a browser in which a passkey has signed a challenge. */
export const passkeySignInResponse = z.object({
  ...commonFields,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});
