import { inputError } from '../../platform/errors.ts';
import { checkPublicUrl } from '../../platform/public-address/check-public-url.ts';
import { PublicAddressError } from '../../platform/public-address/public-address-error.ts';

/**
 * Checks what is known of an address without DNS. Each try checks it again, with the addresses of its
 * host. Returns the host, which the audit log has in place of the URL: a path can be a secret.
 */
export function requireWebhookUrl(url: string, allowLoopback: boolean): string {
  try {
    return checkPublicUrl(url, allowLoopback).url.host;
  } catch (error) {
    if (!(error instanceof PublicAddressError)) throw error;
    throw inputError('url', 'INVALID', `url is refused: ${error.message}`, 'WEBHOOK_URL_REFUSED');
  }
}
