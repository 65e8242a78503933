import type { Storage } from '../../platform/storage/stored-object.ts';
import type { VaultClient } from '../../vault/client.ts';
import type { Quotas } from '../quotas/quotas.ts';

/** The calls of the vault that the rules of this module use. */
export type FileVault = Pick<
  VaultClient,
  'ingest' | 'remove' | 'removeCollection' | 'collections' | 'documents'
>;

/** The services that the rules of this module use besides the database. */
export type FileServices = {
  storage: Storage;
  vault: FileVault;
  quotas: Quotas;
  /**
   * Tells the file processor of this process that there is work, so that it starts at once instead
   * of at its next poll.
   */
  wake: () => void;
};

declare module '../../access/context.ts' {
  interface Services {
    files: FileServices;
  }
}
