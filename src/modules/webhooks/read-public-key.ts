import { publicKeyOf } from './webhook-secret.ts';
import type { WebhookServices } from './webhook-services.ts';

/** The public key that belongs to a secret; null if the secret cannot be decrypted. */
export async function readPublicKey(
  encryptedSecret: string,
  { cipher }: WebhookServices,
): Promise<string | null> {
  const secret = await cipher.decrypt(encryptedSecret).catch(() => null);
  return secret === null ? null : publicKeyOf(cipher.privateKeyOf(secret));
}
