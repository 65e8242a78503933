export type ListFaults = { allowedEmailDomains?: string; allowedEmails?: string };

/**
 * The first invalid entry of each list. This check only catches obvious mistakes; the API checks
 * every entry.
 */
export function findListFaults({
  allowedEmailDomains,
  allowedEmails,
}: {
  allowedEmailDomains: readonly string[];
  allowedEmails: readonly string[];
}): ListFaults {
  const domain = allowedEmailDomains.find((entry) => !/^[^@/:]+\.[^@/:.]+$/.test(entry));
  const email = allowedEmails.find((entry) => !/^[^@]+@[^@]+\.[^@.]+$/.test(entry));
  return {
    ...(domain === undefined
      ? {}
      : { allowedEmailDomains: `“${domain}” is not a domain such as example.com` }),
    ...(email === undefined ? {} : { allowedEmails: `“${email}” is not an e-mail address` }),
  };
}
