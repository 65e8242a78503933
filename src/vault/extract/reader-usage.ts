/** How long a tenant counts as active after its last document. */
const activeMs = 10_000;

/** Counts the documents that each tenant has read at the moment, so that tenants share the readers. */
export function createReaderUsage(now: () => number = () => performance.now()) {
  const tenants = new Map<string, { inProgress: number; lastAt: number }>();

  return {
    /**
     * Begins a document. `isRepeated` says whether its tenant has another one in progress, while
     * other tenants have sent documents as well. Call `end` once.
     */
    begin(tenant: string): { isRepeated: boolean; end: () => void } {
      const at = now();
      for (const [name, { inProgress, lastAt }] of tenants)
        if (inProgress === 0 && at - lastAt > activeMs) tenants.delete(name);
      const entry = tenants.get(tenant) ?? { inProgress: 0, lastAt: at };
      const isRepeated = entry.inProgress > 0 && tenants.size > 1;
      entry.inProgress += 1;
      entry.lastAt = at;
      tenants.set(tenant, entry);
      let isEnded = false;
      return {
        isRepeated,
        end() {
          if (isEnded) return;
          isEnded = true;
          entry.inProgress -= 1;
          entry.lastAt = now();
        },
      };
    },
  };
}
