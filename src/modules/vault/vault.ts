import { AppError } from '../../platform/errors.ts';
import type { VaultClient } from '../../vault/client.ts';
import type { TenantVault, VaultFor } from './tenant-vault.ts';

/** What watching a vault needs of it. */
export type WatchedVault = Pick<VaultClient, 'health' | 'system' | 'history' | 'rateLimit'>;

declare module '../../graph/context.ts' {
  interface Services {
    /** Null where this Atrium was given none. */
    vault: WatchedVault | null;
    vaultFor: VaultFor;
  }
}

/** What the pages about the vault read of it for one person. */
export type ReadVault = Pick<TenantVault, 'search' | 'document'>;

/** A vault that is away is something that people are told of, not an error. */
export async function unlessAway<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAVAILABLE') return undefined;
    throw error;
  }
}
