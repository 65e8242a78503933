import type { FileVault } from './modules/assistant-files/file-services.ts';
import { unguarded } from './modules/budgets/budget-services.ts';
import type { Lease } from './modules/quotas/leases.ts';
import type { Quotas } from './modules/quotas/quotas.ts';
import { dryRunModels } from './modules/runs/models/dry-run-model.ts';
import type { TenantVault } from './modules/vault/tenant-vault.ts';
import { dryRunStorage } from './platform/storage/dry-run-storage.ts';
import type { DryRun } from './rest/handler.ts';

type DryRunDependencies = { vault: FileVault & Pick<TenantVault, 'document'> };

/**
 * Runs work that changes nothing: its transactions are rolled back, and it sends no mail, stores and
 * removes no file, asks no model, and leaves the caches alone. Limits and quotas hold as usual, so
 * that a dry run reveals no more, and costs no more, than the real request.
 */
export const createDryRun =
  ({ vault }: DryRunDependencies): DryRun =>
  async (context, run) => {
    const { database, files, runs, durableRuns, mail } = context;
    const { quotas, release } = heldLeases(context.quotas);
    try {
      return await database.rehearse((rehearsed) =>
        run({
          ...context,
          database: rehearsed,
          mail: { ...mail, kind: 'none' },
          files: {
            ...files,
            ...{ quotas, storage: dryRunStorage(files.storage), vault: dryRunVault(vault) },
            wake: () => undefined,
          },
          runs: {
            ...runs,
            ...{ models: dryRunModels(runs.models), writesTitles: false },
            // A dry run that waited would keep its database connection from the runs before it.
            checkInTurn: (_, check) => check(),
            outputs: null,
            commitShared: undefined,
            participants: runs.participants.filter((one) => one !== context.budgets.guard),
            tokensUsed: () => undefined,
          },
          durableRuns: { ...durableRuns, wake: () => undefined, stop: () => undefined },
          webhooks: { ...context.webhooks, wake: () => undefined },
          budgets: { ...context.budgets, guard: unguarded, changed: () => undefined },
          quotas,
          credentialsChanged: () => undefined,
        }),
      );
    } finally {
      await release();
    }
  };

/** Answers what a removal would remove. */
const dryRunVault = (vault: DryRunDependencies['vault']): FileVault => ({
  ...vault,
  async remove({ collection, document, signal }) {
    const stored = await vault.document({ collection, document, signal });
    return { existed: stored !== undefined, passages: stored?.passages ?? 0 };
  },
});

/**
 * The leases of running uploads and runs are released after the dry run: the statement for that
 * needs a connection, and the embedded database has only the one of the open transaction.
 */
function heldLeases(quotas: Quotas): { quotas: Quotas; release: () => Promise<void> } {
  const leases: Lease[] = [];
  const hold = (take: Quotas['startRun']) => async (organizationId: string) => {
    leases.push(await take(organizationId));
    return {
      end: async () => undefined,
      endWith: (commit) => commit(() => undefined),
    } satisfies Lease;
  };
  return {
    quotas: {
      ...quotas,
      startRun: hold(quotas.startRun),
      startUpload: hold(quotas.startUpload),
    },
    async release() {
      for (const lease of leases) await lease.end();
    },
  };
}
