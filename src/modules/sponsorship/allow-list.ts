import { parseEmailAddress } from '../users/email-address.ts';
import { parseHostName } from '../users/host-name.ts';

type AllowLists = { allowedEmailDomains: readonly string[]; allowedEmails: readonly string[] };

/** Whether either list names this address. Both empty admit everyone. Hosts are compared whole: a subdomain is another host. */
export function admits({ allowedEmailDomains, allowedEmails }: AllowLists, email: string): boolean {
  if (allowedEmailDomains.length === 0 && allowedEmails.length === 0) return true;
  const address = parseEmailAddress(email);
  if (address === undefined) return false;
  const host = address.slice(address.lastIndexOf('@') + 1);
  return allowedEmails.some((allowed) => parseEmailAddress(allowed) === address) || allowedEmailDomains.some((domain) => parseHostName(domain) === host);
}
