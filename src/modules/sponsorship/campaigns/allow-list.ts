import { parseEmailAddress } from '../../users/email-address.ts';

/** Both lists are stored normalized, as addresses are: lower case, domains in ASCII. */
type AllowLists = { allowedEmailDomains: readonly string[]; allowedEmails: readonly string[] };

export const hasAllowList = ({ allowedEmailDomains, allowedEmails }: AllowLists): boolean =>
  allowedEmailDomains.length > 0 || allowedEmails.length > 0;

/**
 * Whether one of the lists contains this address. Two empty lists allow every address. A domain
 * matches only itself: a subdomain does not match.
 */
export function isEmailAllowed(
  { allowedEmailDomains, allowedEmails }: AllowLists,
  email: string,
): boolean {
  if (!hasAllowList({ allowedEmailDomains, allowedEmails })) return true;
  const address = parseEmailAddress(email);
  if (address === undefined) return false;
  return (
    allowedEmails.includes(address) ||
    allowedEmailDomains.includes(address.slice(address.lastIndexOf('@') + 1))
  );
}
