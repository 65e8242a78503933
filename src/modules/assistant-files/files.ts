import type { Storage } from '../../platform/storage/storage.ts';
import type { VaultClient } from '../../vault/client.ts';
import type { Quotas } from '../quotas/quotas.ts';

/** What files need of a vault. */
export type FileVault = Pick<
  VaultClient,
  'ingest' | 'remove' | 'removeCollection' | 'collections' | 'documents'
>;

/** What the rules of this module need besides the database. */
export type Files = {
  storage: Storage;
  vault: FileVault;
  quotas: Quotas;
  /**
   * Says that there is something to process: whoever processes files in this process begins at
   * once.
   */
  wake: () => void;
};

declare module '../../graph/context.ts' {
  interface Services {
    files: Files;
  }
}
