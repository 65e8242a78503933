import { createHmac, randomBytes } from 'node:crypto';
import { createSecretCipher, type SecretCipher } from '../accounts/second-factor/secret-cipher.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** A secret in the form of Standard Webhooks 1.0. */
export const newWebhookSecret = (): string =>
  `${prefix}${randomBytes(secretBytes).toString('base64')}`;

/** Secrets are needed to sign, so they are encrypted with a key that is not in the database. */
export const createWebhookCipher = (authSecret: string): SecretCipher =>
  createSecretCipher(authSecret, 'webhooks');

type SignedMessage = { id: string; timestamp: number; body: string };

/** The header `webhook-signature`: one signature for each secret, as Standard Webhooks 1.0 says. */
export const signaturesOf = (
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): string =>
  secrets
    .map((secret) => Buffer.from(secret.slice(prefix.length), 'base64'))
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');
