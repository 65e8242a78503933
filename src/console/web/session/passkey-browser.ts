type PasskeyOptions = Readonly<Record<string, unknown>>;

/**
 * Whether this browser supports passkeys at this address: passkeys need a host name, not an IP
 * address.
 */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** Asks the person to create a passkey. Undefined when the person cancelled. */
export function createPasskey(options: PasskeyOptions): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return credentialOrUndefined(navigator.credentials.create({ publicKey }));
}

/** Asks the person to sign in with a passkey. Undefined when the person cancelled. */
export function requestPasskey(options: PasskeyOptions): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return credentialOrUndefined(navigator.credentials.get({ publicKey }));
}

/**
 * Error names for a dialog that was closed, a device without a passkey, and a device that already
 * has a passkey of this account.
 */
const cancellationErrors = ['NotAllowedError', 'AbortError', 'InvalidStateError'];

async function credentialOrUndefined(request: Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await request;
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  } catch (error) {
    if (error instanceof DOMException && cancellationErrors.includes(error.name)) return undefined;
    throw error;
  }
}
