import { AppError } from '../../platform/errors.ts';
import type { VaultClient } from '../../vault/client.ts';

/** What watching a vault needs of it. */
export type WatchedVault = Pick<VaultClient, 'health' | 'system' | 'history' | 'rateLimit' | 'document' | 'search'>;

declare module '../../graph/context.ts' {
  interface Services {
    /** Null where this Atrium was given none. */
    vault: WatchedVault | null;
  }
}

/** A vault that is away is something that people are told of, not an error. */
export async function unlessAway<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAVAILABLE') return undefined;
    throw error;
  }
}
