type PasskeyOptions = Readonly<Record<string, unknown>>;

/**
 * Whether this browser can make and use passkeys here: they need a host name, not a network
 * address.
 */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** Asks the person to make a passkey. Undefined where they closed the browser's window. */
export function createPasskey(options: PasskeyOptions): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Asks the person to show a passkey. Undefined where they closed the browser's window. */
export function requestPasskey(options: PasskeyOptions): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(navigator.credentials.get({ publicKey }));
}

/**
 * What browsers call a window that was closed, a device without a passkey, and one that has a
 * passkey of this account already.
 */
const refusals = ['NotAllowedError', 'AbortError', 'InvalidStateError'];

async function answerOf(asked: Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await asked;
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  } catch (error) {
    if (error instanceof DOMException && refusals.includes(error.name)) return undefined;
    throw error;
  }
}
