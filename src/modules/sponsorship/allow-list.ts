import { parseEmailAddress } from '../users/email-address.ts';

/** Both are kept normalised, as addresses are: lower case, hosts in ASCII. */
type AllowLists = { allowedEmailDomains: readonly string[]; allowedEmails: readonly string[] };

/** Whether either list names this address. Both empty admit everyone. Hosts are compared whole: a subdomain is another host. */
export function admits({ allowedEmailDomains, allowedEmails }: AllowLists, email: string): boolean {
  if (allowedEmailDomains.length === 0 && allowedEmails.length === 0) return true;
  const address = parseEmailAddress(email);
  if (address === undefined) return false;
  return allowedEmails.includes(address) || allowedEmailDomains.includes(address.slice(address.lastIndexOf('@') + 1));
}
