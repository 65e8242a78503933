import { availableParallelism } from 'node:os';
import { AppError } from '../../platform/errors.ts';
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts';
import type { Limits } from '../../platform/limits.ts';
import type { VaultClient } from '../../vault/client.ts';

/** The vault's calls that people cause directly. */
export type TenantVault = Pick<VaultClient, 'search' | 'extract' | 'document' | 'passagesWithin'>;
export type VaultFor = (caller: { organizationId: string; userId: string }) => TenantVault;

type Parts = {
  vault: TenantVault;
  limits: Pick<Limits, 'take'>;
  organizationLimit: number;
  personLimit: number;
};

const never = new AbortController().signal;

/**
 * The vault as one person uses it. Each call counts for the person and for the organization before
 * it is sent, and waits for its organization's turn. So nobody can use up the limit that the vault
 * has for all callers together, nor occupy it: the one who asks too much gets 429, and everybody
 * else goes on.
 */
export function createVaultFor({ vault, limits, organizationLimit, personLimit }: Parts): VaultFor {
  // Each keeps a core of the vault busy: two leave room for others on a machine with few cores.
  const queries = queueOf({
    concurrencyMax: 16,
    concurrencyPerTenantMax: Math.max(1, Math.floor(availableParallelism() / 2)),
    waitingPerTenantMax: 200,
  });
  // The vault reads few files at the same time, each for seconds.
  const extractions = queueOf({
    concurrencyMax: 16,
    concurrencyPerTenantMax: 4,
    waitingPerTenantMax: 100,
  });

  async function count(caller: string, limit: number, whose: string): Promise<void> {
    const { exceeded, retryAfterSeconds } = await limits.take(caller, limit);
    if (exceeded)
      throw tooMuch(
        `${whose} more than ${limit} searches and readings in files within a minute; try again in ${retryAfterSeconds} s`,
        retryAfterSeconds,
      );
  }

  return ({ organizationId, userId }) => {
    async function inTurn<Result>(
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
        await ticket.turn(signal ?? never);
        return await call();
      } finally {
        ticket.leave();
      }
    }
    return {
      search: (question) => inTurn(queries, question.signal, () => vault.search(question)),
      document: (place) => inTurn(queries, place.signal, () => vault.document(place)),
      passagesWithin: (stretch) =>
        inTurn(queries, stretch.signal, () => vault.passagesWithin(stretch)),
      extract: (file) =>
        inTurn(extractions, file.signal, () => vault.extract({ ...file, tenant: organizationId })),
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
      tooMuch(
        'Too many searches and readings in files of your organization are waiting; try again in a second',
        1,
      ),
  });

const tooMuch = (message: string, retryAfterSeconds: number) =>
  new AppError('RATE_LIMITED', message, undefined, retryAfterSeconds);
