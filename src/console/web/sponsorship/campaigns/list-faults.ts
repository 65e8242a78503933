export type ListFaults = { allowedEmailDomains?: string; allowedEmails?: string };

/**
 * The first entry of each list that can not be meant, by its text: the graph knows best, and
 * refuses the rest.
 */
export function faultsOfLists({
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
      : { allowedEmailDomains: `“${domain}” is no domain such as example.com` }),
    ...(email === undefined ? {} : { allowedEmails: `“${email}” is no e-mail address` }),
  };
}
