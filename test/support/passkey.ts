import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

type WebAuthnCeremony = { origin: string; challenge: string };
type AuthenticatorFaults = { userVerified?: boolean; counter?: number; rpId?: string };

/** A software authenticator with one passkey, without a browser. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = base64url(credentialId);
  let useCount = 0;

  const clientData = (type: string, { origin, challenge }: WebAuthnCeremony) =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false });
  const authenticatorData = (
    origin: string,
    {
      userVerified = true,
      counter = useCount,
      rpId = new URL(origin).hostname,
    }: AuthenticatorFaults,
    attested = Buffer.alloc(0),
  ) => {
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  };
  const envelope = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };

  return {
    id,
    /** The response of the browser after the passkey was created. */
    create(ceremony: WebAuthnCeremony, faults: AuthenticatorFaults = {}) {
      // COSE: an EC2 key for ES256 on P-256, its coordinates in 32 bytes each.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        key,
      ]);
      const data = authenticatorData(ceremony.origin, faults, attested);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const head = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
      ]);
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', ceremony)),
        attestationObject: base64url(Buffer.concat([head, data])),
        transports: ['internal'],
      };
      return { ...envelope, response };
    },
    /** The response of the browser after the passkey signed a challenge. */
    get(ceremony: WebAuthnCeremony, faults: AuthenticatorFaults = {}) {
      useCount += 1;
      const data = authenticatorData(ceremony.origin, faults);
      const json = clientData('webauthn.get', ceremony);
      const signature = sign('sha256', Buffer.concat([data, sha256(json)]), privateKey);
      return {
        ...envelope,
        response: {
          clientDataJSON: base64url(json),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      };
    },
  };
}
