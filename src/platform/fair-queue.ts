export type QueueTicket = {
  /**
   * Resolves when this ticket's work may start; until then `onMove` receives how many tickets of
   * the same tenant are ahead.
   */
  turn: (signal: AbortSignal, onMove?: (ahead: number) => void) => Promise<void>;
  /**
   * Frees what the ticket occupies. Every ticket must leave exactly once, whether or not its work
   * started.
   */
  leave: () => void;
};
export type FairQueue = ReturnType<typeof createFairQueue>;

type FairQueueOptions = {
  /** Tickets that work at the same time, over all tenants. A ticket can count as several. */
  concurrencyMax: number;
  concurrencyPerTenantMax: number;
  /** Tickets that wait, over all tenants. */
  waitingMax: number;
  waitingPerTenantMax: number;
  /** The error for a ticket that would exceed one of the waiting limits. */
  refusal: () => Error;
};

type QueuedTicket = { weight: number; start: () => void; move: (ahead: number) => void };
type TenantQueue = { present: number; working: number; waiting: QueuedTicket[]; lastTurn: number };

/**
 * A bounded work queue that is shared fairly between tenants. A free slot goes to the waiting
 * tenant with the least work in progress and, between equals, to the one whose last turn is longest
 * ago; within a tenant the order is first come, first served. So the first ticket of a quiet tenant
 * waits for one running ticket at most, however many tickets another tenant has queued.
 */
export function createFairQueue({
  concurrencyMax,
  concurrencyPerTenantMax,
  waitingMax,
  waitingPerTenantMax,
  refusal,
}: FairQueueOptions) {
  const tenants = new Map<string, TenantQueue>();
  let present = 0;
  let working = 0;
  let turns = 0;

  const nextTenant = (): TenantQueue | undefined => {
    let best: TenantQueue | undefined;
    for (const tenant of tenants.values()) {
      const [first] = tenant.waiting;
      if (!first || tenant.working + first.weight > concurrencyPerTenantMax) continue;
      if (
        !best ||
        tenant.working < best.working ||
        (tenant.working === best.working && tenant.lastTurn < best.lastTurn)
      )
        best = tenant;
    }
    return best;
  };
  const reportPositions = ({ waiting }: TenantQueue) => {
    for (const [ahead, { move }] of waiting.entries()) move(ahead);
  };
  const dispatch = () => {
    for (let tenant = nextTenant(); tenant; tenant = nextTenant()) {
      const [first] = tenant.waiting;
      if (!first || working + first.weight > concurrencyMax) return;
      tenant.waiting.shift();
      turns += 1;
      tenant.lastTurn = turns;
      tenant.working += first.weight;
      working += first.weight;
      first.start();
      reportPositions(tenant);
    }
  };

  return {
    /** `weight`: as how many tickets this one counts while it works; at most the limits. */
    join(name: string, weight = 1): QueueTicket {
      const tenant = tenants.get(name) ?? { present: 0, working: 0, waiting: [], lastTurn: 0 };
      if (
        present >= concurrencyMax + waitingMax ||
        tenant.present >= concurrencyPerTenantMax + waitingPerTenantMax
      )
        throw refusal();
      tenants.set(name, tenant);
      tenant.present += 1;
      present += 1;
      let isWorking = false;
      return {
        turn: (signal, onMove = () => {}) =>
          new Promise((resolve, reject) => {
            if (signal.aborted) return reject(signal.reason);
            const cancel = () => {
              tenant.waiting.splice(tenant.waiting.indexOf(entry), 1);
              reject(signal.reason);
              reportPositions(tenant);
            };
            const start = () => {
              isWorking = true;
              signal.removeEventListener('abort', cancel);
              resolve();
            };
            const entry: QueuedTicket = { weight, start, move: onMove };
            signal.addEventListener('abort', cancel, { once: true });
            tenant.waiting.push(entry);
            dispatch();
            if (!isWorking) onMove(tenant.waiting.indexOf(entry));
          }),
        leave() {
          present -= 1;
          tenant.present -= 1;
          if (isWorking) {
            tenant.working -= weight;
            working -= weight;
          }
          if (tenant.present === 0) tenants.delete(name);
          dispatch();
        },
      };
    },
  };
}
