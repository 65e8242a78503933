import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { createSecretCipher, type SecretCipher } from '../accounts/second-factor/secret-cipher.ts';

const prefix = 'whsec_';
const publicKeyPrefix = 'whpk_';
const secretBytes = 32;
/** An Ed25519 key in PKCS #8 (RFC 8410) is this, followed by its 32 bytes. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A secret in the form of Standard Webhooks 1.0. */
export const newWebhookSecret = (): string =>
  `${prefix}${randomBytes(secretBytes).toString('base64')}`;

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

export type WebhookCipher = SecretCipher & {
  /** The Ed25519 key that belongs to a secret. Who knows the secret alone cannot compute it. */
  privateKeyOf(secret: string): KeyObject;
};

/** Secrets are needed to sign, so they are encrypted with a key that is not in the database. */
export const createWebhookCipher = (authSecret: string): WebhookCipher => ({
  ...createSecretCipher(authSecret, 'webhooks'),
  privateKeyOf(secret) {
    const bytes = hkdfSync('sha256', bytesOf(secret), authSecret, 'webhooks v1a', secretBytes);
    const key = Buffer.concat([pkcs8Head, Buffer.from(bytes)]);
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  },
});

/** The public key of a private one in the form of Standard Webhooks 1.0. */
export function publicKeyOf(privateKey: KeyObject): string {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return `${publicKeyPrefix}${Buffer.from(x, 'base64url').toString('base64')}`;
}

type SignedMessage = { id: string; timestamp: number; body: string };

/**
 * The header `webhook-signature`, as Standard Webhooks 1.0 says: for each secret a signature with it,
 * and one with its private key, which a receiver checks without a secret.
 */
export function signaturesOf(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
  { privateKeyOf }: Pick<WebhookCipher, 'privateKeyOf'>,
): string {
  const message = Buffer.from(`${id}.${timestamp}.${body}`);
  return secrets
    .flatMap((secret) => [
      `v1,${createHmac('sha256', bytesOf(secret)).update(message).digest('base64')}`,
      `v1a,${sign(null, message, privateKeyOf(secret)).toString('base64')}`,
    ])
    .join(' ');
}
