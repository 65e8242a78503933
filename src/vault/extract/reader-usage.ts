/** How long a document counts after its reader was acquired. */
const windowMs = 10_000;

/** Counts the documents of each tenant, so that one tenant does not use the readers of all others. */
export function createReaderUsage(now: () => number = () => performance.now()) {
  let recent: { tenant: string; at: number }[] = [];
  return {
    /**
     * Counts a document. Returns whether its tenant has sent more than half of the latest documents,
     * while other tenants have sent some as well.
     */
    count(tenant: string): boolean {
      const at = now();
      recent = recent.filter((entry) => at - entry.at < windowMs);
      recent.push({ tenant, at });
      const own = recent.filter((entry) => entry.tenant === tenant).length;
      return own < recent.length && own > recent.length / 2;
    },
  };
}
