import { parseEmailAddress } from '../users/email-address.ts';

/** Both are kept normalised, as addresses are: lower case, hosts in ASCII. */
type AllowLists = { allowedEmailDomains: readonly string[]; allowedEmails: readonly string[] };

export const hasAllowList = ({ allowedEmailDomains, allowedEmails }: AllowLists): boolean =>
  allowedEmailDomains.length > 0 || allowedEmails.length > 0;

/**
 * Whether either list names this address. Both empty admit everyone. Hosts are compared whole: a
 * subdomain is another host.
 */
export function admits({ allowedEmailDomains, allowedEmails }: AllowLists, email: string): boolean {
  if (!hasAllowList({ allowedEmailDomains, allowedEmails })) return true;
  const address = parseEmailAddress(email);
  if (address === undefined) return false;
  return (
    allowedEmails.includes(address) ||
    allowedEmailDomains.includes(address.slice(address.lastIndexOf('@') + 1))
  );
}
