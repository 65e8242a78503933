import { availableParallelism } from 'node:os';
import { rateLimited } from '../../platform/errors.ts';
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts';
import type { RateLimits } from '../../platform/limits.ts';
import type { VaultClient } from '../../vault/client.ts';

/** The calls of the vault that requests of people cause directly. */
export type TenantVault = Pick<VaultClient, 'search' | 'extract' | 'document' | 'passagesWithin'>;
export type VaultFor = (caller: { organizationId: string; userId: string }) => TenantVault;

type TenantVaultDependencies = {
  vault: TenantVault;
  limits: Pick<RateLimits, 'consume'>;
  organizationLimit: number;
  personLimit: number;
};

const neverAborts = new AbortController().signal;

/**
 * Creates the vault client of one person. Each call counts towards the limits of the person and of
 * the organization before it is sent, and waits for the turn of its organization. So nobody can use
 * up the limit that the vault has for all callers together, and nobody can keep the vault busy: a
 * caller over the limit gets 429, and all others continue.
 */
export function createVaultFor({
  vault,
  limits,
  organizationLimit,
  personLimit,
}: TenantVaultDependencies): VaultFor {
  // Each query keeps one core of the vault busy. Half of the cores per organization leaves room for
  // others, even on a machine with few cores.
  const queries = queueOf({
    concurrencyMax: 16,
    concurrencyPerTenantMax: Math.max(1, Math.floor(availableParallelism() / 2)),
    waitingPerTenantMax: 200,
  });
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
    async function queued<Result>(
      queue: FairQueue,
      signal: AbortSignal | undefined,
      call: () => Promise<Result>,
    ): Promise<Result> {
      await count(`vault-person:${organizationId}:${userId}`, personLimit, 'You have asked for');
      await count(
        `vault-organization:${organizationId}`,
        organizationLimit,
        'Your organization has asked for',
      );
      const ticket = queue.join(organizationId);
      try {
        await ticket.turn(signal ?? neverAborts);
        return await call();
      } finally {
        ticket.leave();
      }
    }
    return {
      search: (request) => queued(queries, request.signal, () => vault.search(request)),
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
