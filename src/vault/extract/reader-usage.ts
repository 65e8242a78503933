/** How long a tenant counts as active after its last document. */
const activeMs = 10_000;
// One slow document alone does not make its tenant a heavy user.
const busyMsMin = 1_000;

type TenantUsage = {
  inProgress: number;
  /** The time that its documents were read, each for itself; it decreases over the window. */
  busyMs: number;
  updatedAt: number;
  lastAt: number;
};

/** Measures how long each tenant uses readers, so that tenants share them. */
export function createReaderUsage(now: () => number = () => performance.now()) {
  const tenants = new Map<string, TenantUsage>();

  function update(entry: TenantUsage, at: number): void {
    const elapsedMs = at - entry.updatedAt;
    entry.busyMs = entry.busyMs * Math.exp(-elapsedMs / activeMs) + elapsedMs * entry.inProgress;
    entry.updatedAt = at;
  }

  return {
    /**
     * Begins a document. `isHeavy` says whether its tenant has another one in progress, or has used
     * readers for seconds, while another tenant needs them for less than half of that. Call `end`
     * once.
     */
    begin(tenant: string): { isHeavy: boolean; end: () => void } {
      const at = now();
      for (const [name, entry] of tenants) {
        if (entry.inProgress === 0 && at - entry.lastAt > activeMs) tenants.delete(name);
        else update(entry, at);
      }
      const entry = tenants.get(tenant) ?? { inProgress: 0, busyMs: 0, updatedAt: at, lastAt: at };
      const isMoreThanAnother = [...tenants].some(
        ([name, { busyMs }]) => name !== tenant && busyMs < entry.busyMs / 2,
      );
      const isHeavy =
        (entry.inProgress > 0 && tenants.size > 1) ||
        (entry.busyMs >= busyMsMin && isMoreThanAnother);
      entry.inProgress += 1;
      entry.lastAt = at;
      tenants.set(tenant, entry);
      let isEnded = false;
      return {
        isHeavy,
        end() {
          if (isEnded) return;
          isEnded = true;
          const endedAt = now();
          update(entry, endedAt);
          entry.inProgress -= 1;
          entry.lastAt = endedAt;
        },
      };
    },
  };
}
