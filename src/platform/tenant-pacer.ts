export type TenantPacer = ReturnType<typeof createTenantPacer>;

type PacedTenant = {
  /** When the requests in progress started, oldest first, without those that started long ago. */
  running: Map<symbol, number>;
  waiting: (() => void)[];
  /** The average number of requests that were running or waiting during the last second. */
  demand: number;
  updatedAt: number;
  timer?: NodeJS.Timeout | undefined;
};

const demandWindowMs = 1_000;
// A person in a browser, and a program that sends one request after the other, stay below.
const demandMax = 2;
/** Others count as active for this long after their last request. */
const activeMs = 1_000;
// A request counts for so long at most: it may wait for a model or for the bytes of an upload, which
// costs others nothing.
const countedMs = 100;
const idleMs = 10_000;

/**
 * Keeps a tenant that sends many requests at the same time from delaying the others: while others
 * are active, its requests start one after the other, at least ten in a second. A tenant that is
 * alone, or sends few requests, never waits.
 */
export function createTenantPacer({ now = () => performance.now() } = {}) {
  const tenants = new Map<string, PacedTenant>();
  let latest = { name: '', at: Number.NEGATIVE_INFINITY };
  let latestOfAnotherAt = Number.NEGATIVE_INFINITY;

  function recordActivity(name: string, at: number): void {
    if (latest.name !== name) latestOfAnotherAt = latest.at;
    latest = { name, at };
  }

  const areOthersActive = (name: string, at: number): boolean =>
    at - (latest.name === name ? latestOfAnotherAt : latest.at) < activeMs;

  function update(tenant: PacedTenant, at: number): void {
    const requests = tenant.running.size + tenant.waiting.length;
    const weight = Math.exp((tenant.updatedAt - at) / demandWindowMs);
    tenant.demand = requests + (tenant.demand - requests) * weight;
    tenant.updatedAt = at;
    for (const [request, startedAt] of tenant.running) {
      if (at - startedAt < countedMs) break;
      tenant.running.delete(request);
    }
  }

  const mayStart = (name: string, tenant: PacedTenant, at: number): boolean =>
    tenant.running.size === 0 || tenant.demand <= demandMax || !areOthersActive(name, at);

  function startWaiting(name: string, tenant: PacedTenant): void {
    const at = now();
    update(tenant, at);
    while (tenant.waiting.length > 0 && mayStart(name, tenant, at)) tenant.waiting.shift()?.();
    clearTimeout(tenant.timer);
    if (tenant.waiting.length === 0) return;
    const [oldest = at] = tenant.running.values();
    tenant.timer = setTimeout(startWaiting, oldest + countedMs - at, name, tenant);
  }

  function tenantOf(name: string, at: number): PacedTenant {
    const known = tenants.get(name);
    if (known) return known;
    for (const [other, { running, waiting, updatedAt }] of tenants)
      if (running.size + waiting.length === 0 && at - updatedAt > idleMs) tenants.delete(other);
    const tenant: PacedTenant = { running: new Map(), waiting: [], demand: 0, updatedAt: at };
    tenants.set(name, tenant);
    return tenant;
  }

  return {
    /**
     * Resolves when a request of the tenant may start, to a function that must be called when the
     * request has ended. Rejects if the request is aborted before it starts.
     */
    async start(name: string, signal: AbortSignal): Promise<() => void> {
      const at = now();
      const tenant = tenantOf(name, at);
      recordActivity(name, at);
      update(tenant, at);
      const request = Symbol();
      const start = () => void tenant.running.set(request, now());
      if (tenant.waiting.length === 0 && mayStart(name, tenant, at)) start();
      else
        await new Promise<void>((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason);
          const cancel = () => {
            tenant.waiting.splice(tenant.waiting.indexOf(entry), 1);
            reject(signal.reason);
          };
          const entry = () => {
            signal.removeEventListener('abort', cancel);
            start();
            resolve();
          };
          signal.addEventListener('abort', cancel, { once: true });
          tenant.waiting.push(entry);
          startWaiting(name, tenant);
        });
      return () => {
        update(tenant, now());
        tenant.running.delete(request);
        // Requests of other tenants that have arrived meanwhile come first.
        if (tenant.waiting.length > 0) setImmediate(startWaiting, name, tenant);
      };
    },
  };
}
