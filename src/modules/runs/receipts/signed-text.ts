import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/** A public Ed25519 key as a JWK (RFC 8037). */
export type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string };

/** What a signed text is. Its type is in the header, so that no text passes as one of another type. */
export type SignedType = 'receipt' | 'audit-checkpoint';

/** The thumbprint of a key (RFC 7638), which names it. */
export const thumbprintOf = ({ crv, kty, x }: PublicJwk): string =>
  hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');

export type SigningKey = { id: string; privateKey: KeyObject };

const nouns = { receipt: 'receipt', 'audit-checkpoint': 'checkpoint' } as const;

/** Signs a text as a compact JWS (RFC 7515) with EdDSA. */
export function signText(
  text: string,
  { id, privateKey }: SigningKey,
  type: SignedType = 'receipt',
): string {
  const header = encode(JSON.stringify({ alg: 'EdDSA', kid: id, typ: `atrium-${type}` }));
  const signed = `${header}.${encode(text)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/**
 * Returns the text of a compact JWS if its signature is valid, otherwise what is wrong with it.
 * `keyOf` finds a public key by its id.
 */
export function readSignedText(
  jws: string,
  keyOf: (id: string) => PublicJwk | undefined,
  type: SignedType = 'receipt',
): { text: string; keyId: string } | { fault: string } {
  const [header = '', payload = '', signature = '', ...others] = jws.split('.');
  if (others.length > 0 || signature === '') return { fault: 'It is not a compact JWS.' };
  const { alg, kid, typ } = headerOf(header);
  if (alg !== 'EdDSA' || typ !== `atrium-${type}` || typeof kid !== 'string')
    return { fault: `It is not a ${nouns[type]} of Atrium that is signed with EdDSA.` };
  const jwk = keyOf(kid);
  if (!jwk) return { fault: `It is signed with the key ${kid}, which is not among the keys.` };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isValid = verify(
    null,
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  return isValid
    ? { text: Buffer.from(payload, 'base64url').toString(), keyId: kid }
    : { fault: `Its signature is not valid: the ${nouns[type]} was changed after it was signed.` };
}

function headerOf(header: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(header, 'base64url').toString()));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

export const privateKeyFrom = (pkcs8: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });

const encode = (text: string): string => Buffer.from(text).toString('base64url');
