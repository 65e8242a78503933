import { availableParallelism } from 'node:os';
import { rateLimited } from '../../platform/errors.ts';
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts';
import type { RateLimits } from '../../platform/limits.ts';
import type { VaultClient } from '../../vault/client.ts';
import { createSharedSearches } from './shared-searches.ts';

/** The calls of the vault that requests of people cause directly. */
export type TenantVault = Pick<VaultClient, 'search' | 'extract' | 'document' | 'passagesWithin'>;
export type VaultFor = (caller: { organizationId: string; userId: string }) => TenantVault;

type TenantVaultDependencies = {
  vault: TenantVault;
  limits: Pick<RateLimits, 'consume'>;
  organizationLimit: number;
  personLimit: number;
  /** Whether an organization sends many requests beside others. */
  isPaced?: (organizationId: string) => boolean;
};

const neverAborts = new AbortController().signal;
// The calls of a paced organization then take a third of the time.
const restShare = 2;
const restMsMax = 100;

/**
 * Creates the vault client of one person. Each call counts towards the limits of the person and of
 * the organization before it is sent, and waits for the turn of its organization. So nobody can use
 * up the limit that the vault has for all callers together, and nobody can keep the vault busy: a
 * caller over the limit gets 429, and all others continue. An organization that sends many requests
 * beside others rests after each call. Equal searches that wait share one call.
 */
export function createVaultFor({
  vault,
  limits,
  organizationLimit,
  personLimit,
  isPaced = () => false,
}: TenantVaultDependencies): VaultFor {
  // Each query keeps one core of the vault busy. Half of the cores per organization leaves room for
  // others, even on a machine with few cores.
  const queries = queueOf({
    concurrencyMax: 16,
    concurrencyPerTenantMax: Math.max(1, Math.floor(availableParallelism() / 2)),
    waitingPerTenantMax: 200,
  });
  const searchShared = createSharedSearches();
  // The vault reads only a few files at the same time, and each takes seconds.
  const extractions = queueOf({
    concurrencyMax: 16,
    concurrencyPerTenantMax: 4,
    waitingPerTenantMax: 100,
  });

  async function count(caller: string, limit: number, whose: string): Promise<void> {
    const { exceeded, retryAfterSeconds } = await limits.consume(caller, limit);
    if (exceeded)
      throw rateLimited(
        `${whose} more than ${limit} searches and readings in files within a minute; try again in ${retryAfterSeconds} s`,
        retryAfterSeconds,
      );
  }

  return ({ organizationId, userId }) => {
    async function countCall(): Promise<void> {
      await count(`vault-person:${organizationId}:${userId}`, personLimit, 'You have asked for');
      await count(
        `vault-organization:${organizationId}`,
        organizationLimit,
        'Your organization has asked for',
      );
    }
    async function inTurn<Result>(
      queue: FairQueue,
      signal: AbortSignal | undefined,
      call: () => Promise<Result>,
    ): Promise<Result> {
      const ticket = queue.join(organizationId);
      let restMs = 0;
      try {
        await ticket.turn(signal ?? neverAborts);
        const startedAt = performance.now();
        const result = await call();
        if (isPaced(organizationId))
          restMs = Math.min(restShare * (performance.now() - startedAt), restMsMax);
        return result;
      } finally {
        if (restMs === 0) ticket.leave();
        else setTimeout(ticket.leave, restMs);
      }
    }
    async function queued<Result>(
      queue: FairQueue,
      signal: AbortSignal | undefined,
      call: () => Promise<Result>,
    ): Promise<Result> {
      await countCall();
      return inTurn(queue, signal, call);
    }
    return {
      async search(request) {
        await countCall();
        return searchShared(organizationId, request, (shared, sending) =>
          inTurn(queries, shared.signal, () => {
            sending();
            return vault.search(shared);
          }),
        );
      },
      document: (request) => queued(queries, request.signal, () => vault.document(request)),
      passagesWithin: (request) =>
        queued(queries, request.signal, () => vault.passagesWithin(request)),
      extract: (request) =>
        queued(extractions, request.signal, () =>
          vault.extract({ ...request, tenant: organizationId }),
        ),
    };
  };
}

const waitingMax = 10_000;

const queueOf = (limits: {
  concurrencyMax: number;
  concurrencyPerTenantMax: number;
  waitingPerTenantMax: number;
}) =>
  createFairQueue({
    ...limits,
    waitingMax,
    refusal: () =>
      rateLimited(
        'Too many searches and readings in files of your organization are waiting; try again in a second',
        1,
      ),
  });
