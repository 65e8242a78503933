export type TenantPacer = ReturnType<typeof createTenantPacer>;

type PacedTenant = {
  name: string;
  /** When the requests in progress started, without those that started more than a second ago. */
  running: Map<symbol, number>;
  waiting: (() => void)[];
  /** When the first of the waiting requests arrived, or the one before it started. */
  waitingSince: number;
  /** How long the last of its requests took that ended. */
  tookMs: number;
  /** The average number of requests that were running or waiting during the last second. */
  demand: number;
  updatedAt: number;
};

const demandWindowMs = 1_000;
// A person in a browser, and a program that sends one request after the other, stay below.
const demandMax = 2;
/** Others count as active for this long after their last request. */
const activeMs = 1_000;
// A request counts for so long at most: it may wait for a model or for the bytes of an upload, which
// costs others nothing. Towards the demand it counts for longer, because on a busy machine the
// requests of the tenant that keeps it busy take longest.
const countedMs = 100;
const countedMsOfDemand = 1_000;
// Ten starts in a second are the default limit of a user key.
const waitingMsMin = 100;
/** Without gaps, the requests of a paced tenant take half of the time. */
const waitingShare = 2;
// A pause of this length in the requests of others is a gap. A client that sends one request after
// the other makes shorter pauses.
const gapMsMin = 3;
// A tenant whose requests take long needs a longer gap, so that it delays few requests of others.
const gapMsMax = 50;
const idleMs = 10_000;

/**
 * Keeps a tenant that sends many requests at the same time from delaying the others: while others
 * are active, its requests start one after the other, in the gaps between the requests of the
 * others. A gap is a pause as long as the last request took. Without gaps a request starts after
 * twice as long, at least a tenth of a second. A tenant that is alone, or sends few requests, never
 * waits.
 */
export function createTenantPacer({ now = () => performance.now() } = {}) {
  const tenants = new Map<string, PacedTenant>();
  const waitingTenants = new Set<PacedTenant>();
  let latest = { name: '', at: Number.NEGATIVE_INFINITY };
  let latestOfAnotherAt = Number.NEGATIVE_INFINITY;
  /** When the requests in progress that did not wait started, oldest first. */
  const unpaced = new Map<symbol, number>();
  let unpacedEndedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function recordActivity(name: string, at: number): void {
    if (latest.name !== name) latestOfAnotherAt = latest.at;
    latest = { name, at };
  }

  const areOthersActive = (name: string, at = now()): boolean =>
    at - (latest.name === name ? latestOfAnotherAt : latest.at) < activeMs;

  function update(tenant: PacedTenant, at: number): void {
    removeUncounted(tenant.running, at, countedMsOfDemand);
    const requests = tenant.running.size + tenant.waiting.length;
    const weight = Math.exp((tenant.updatedAt - at) / demandWindowMs);
    tenant.demand = requests + (tenant.demand - requests) * weight;
    tenant.updatedAt = at;
  }

  const isPaced = ({ name, demand }: PacedTenant, at: number): boolean =>
    demand > demandMax && areOthersActive(name, at);

  function isInGap({ running, tookMs }: PacedTenant, at: number): boolean {
    removeUncounted(unpaced, at, countedMs);
    const gapMs = Math.min(Math.max(tookMs, gapMsMin), gapMsMax);
    const isRunning = [...running.values()].some((startedAt) => at - startedAt < countedMs);
    return !isRunning && unpaced.size === 0 && at - unpacedEndedAt >= gapMs;
  }

  const hasWaitedEnough = ({ waitingSince, tookMs }: PacedTenant, at: number): boolean =>
    at - waitingSince >= Math.max(waitingShare * tookMs, waitingMsMin);

  function startWaiting(): void {
    const at = now();
    for (const tenant of waitingTenants) {
      update(tenant, at);
      if (!isPaced(tenant, at)) for (const start of tenant.waiting.splice(0)) start();
      else if (hasWaitedEnough(tenant, at) || isInGap(tenant, at)) {
        tenant.waitingSince = at;
        tenant.waiting.shift()?.();
      }
      if (tenant.waiting.length === 0) waitingTenants.delete(tenant);
    }
    clearTimeout(timer);
    timer = waitingTenants.size > 0 ? setTimeout(startWaiting, gapMsMin) : undefined;
  }

  function tenantOf(name: string, at: number): PacedTenant {
    const known = tenants.get(name);
    if (known) return known;
    for (const [other, { running, waiting, updatedAt }] of tenants)
      if (running.size + waiting.length === 0 && at - updatedAt > idleMs) tenants.delete(other);
    const tenant: PacedTenant = {
      name,
      running: new Map(),
      waiting: [],
      waitingSince: at,
      tookMs: 0,
      demand: 0,
      updatedAt: at,
    };
    tenants.set(name, tenant);
    return tenant;
  }

  function waitForTurn(tenant: PacedTenant, at: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const cancel = () => {
        tenant.waiting.splice(tenant.waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      signal.addEventListener('abort', cancel, { once: true });
      if (tenant.waiting.length === 0) tenant.waitingSince = at;
      tenant.waiting.push(start);
      waitingTenants.add(tenant);
      timer ??= setTimeout(startWaiting, gapMsMin);
    });
  }

  return {
    /** Whether other tenants have sent requests within the last second. */
    areOthersActive: (name: string): boolean => areOthersActive(name),
    /** Whether the requests of the tenant start one after the other now. */
    isPaced(name: string): boolean {
      const tenant = tenants.get(name);
      if (!tenant) return false;
      const at = now();
      update(tenant, at);
      return isPaced(tenant, at);
    },
    /**
     * Resolves when a request of the tenant may start, to a function that must be called when the
     * request has ended. Rejects if the request is aborted before it starts.
     */
    async start(name: string, signal: AbortSignal): Promise<() => void> {
      const at = now();
      const tenant = tenantOf(name, at);
      recordActivity(name, at);
      update(tenant, at);
      const paced = isPaced(tenant, at);
      if (tenant.waiting.length > 0 || (paced && !isInGap(tenant, at)))
        await waitForTurn(tenant, at, signal);
      const request = Symbol();
      const startedAt = now();
      tenant.running.set(request, startedAt);
      if (!paced) unpaced.set(request, startedAt);
      return () => {
        const endedAt = now();
        update(tenant, endedAt);
        tenant.running.delete(request);
        tenant.tookMs = Math.min(endedAt - startedAt, countedMs);
        if (unpaced.delete(request)) unpacedEndedAt = endedAt;
        // Requests of other tenants that have arrived meanwhile come first.
        if (waitingTenants.size > 0) setImmediate(startWaiting);
      };
    },
  };
}

function removeUncounted(requests: Map<symbol, number>, at: number, msMax: number): void {
  for (const [request, startedAt] of requests) {
    if (at - startedAt < msMax) break;
    requests.delete(request);
  }
}
