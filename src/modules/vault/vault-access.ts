import { AppError } from '../../platform/errors.ts';
import type { VaultClient } from '../../vault/client.ts';
import type { TenantVault, VaultFor } from './tenant-vault.ts';

/** The calls of the vault that its monitoring page uses. */
export type MonitoredVault = Pick<VaultClient, 'health' | 'system' | 'history' | 'rateLimit'>;

declare module '../../access/context.ts' {
  interface Services {
    /** Null if no vault is configured. */
    vault: MonitoredVault | null;
    vaultFor: VaultFor;
  }
}

/** The calls of the vault that the pages about documents and searches use. */
export type VaultReader = Pick<TenantVault, 'search' | 'document'>;

/**
 * Gives undefined if the vault cannot be reached: the pages show that as a state, not as an error.
 */
export async function undefinedIfUnavailable<Answer>(
  answer: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAVAILABLE') return undefined;
    throw error;
  }
}
