import { isIP } from 'node:net';
import { z } from 'zod';
import { isUnavailable } from '../../../platform/database/faults.ts';
import { AppError } from '../../../platform/errors.ts';

/** Who passkeys are made for: a host name and the origin of its pages. */
export type RelyingParty = { id: string; origin: string };

/** Browsers make passkeys for host names only, not for network addresses. */
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

/** Says the same whatever was wrong, an unknown passkey included. */
export const passkeyRefused = () =>
  new AppError(
    'UNAUTHENTICATED',
    'This passkey could not be checked. Please try again',
    'PASSKEY_WRONG',
  );

/** Runs a check of the library, which throws an ordinary error for each thing that can be wrong. */
export async function refusingFaults<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw isUnavailable(error) ? error : passkeyRefused();
  }
}

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
const common = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
};
const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** What a browser answers when it has made a passkey (`PublicKeyCredential.toJSON()`). */
export const newPasskeyResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(transport).max(10).default([]),
  }),
});

/** What a browser answers when a passkey has signed. */
export const passkeySignInResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});
