import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Person } from '../../assistants/access.ts';
import type { DurableRuns } from './durable-runs.ts';
import { type EndDependencies, endRun } from './end-run.ts';
import { hasEnded, isOwnedBy, type Run, recordColumns, type StoredRecord } from './run.ts';

type RunRequest = { id: string; person: Person };
type CancelDependencies = EndDependencies & { durableRuns: DurableRuns };

/**
 * Cancels a durable run, whatever process executes it. A run that has ended stays as it is, so that
 * the call can be repeated.
 */
export async function cancelRun(
  { id, person }: RunRequest,
  dependencies: CancelDependencies,
): Promise<void> {
  await inTransaction(dependencies.database, async (tx) => {
    const run = await lockOwnRun({ id, person }, tx);
    if (!hasEnded(run)) cancel(tx, run, dependencies);
  });
  announce(id, dependencies);
}

/** Deletes the record of a run and its content. A durable run that is not over is cancelled first. */
export async function deleteRun(
  { id, person }: RunRequest,
  dependencies: CancelDependencies,
): Promise<void> {
  await inTransaction(dependencies.database, async (tx) => {
    const run = await lockOwnRun({ id, person }, tx);
    if (!hasEnded(run)) cancel(tx, run, dependencies);
    tx.enqueue`delete from runs where id = ${id} and organization_id = ${person.organizationId}`;
  });
  announce(id, dependencies);
}

type LockedRun = StoredRecord & Pick<Run, 'state' | 'isDurable'>;

async function lockOwnRun({ id, person }: RunRequest, { sql }: Transaction): Promise<LockedRun> {
  const [run] = await sql<LockedRun>`
    select ${recordColumns}, r.state, r.is_durable as "isDurable" from runs r
    where r.id = ${id} and ${isOwnedBy(person)} for update`;
  if (!run) throw notFound('Run');
  return run;
}

function cancel(tx: Transaction, run: LockedRun, dependencies: EndDependencies): void {
  if (!run.isDurable)
    throw new AppError(
      'CONFLICT',
      'This run belongs to a request; it ends when its client disconnects',
      'RUN_OF_REQUEST',
    );
  const message = 'The run was cancelled';
  endRun(tx, run, { state: 'CANCELLED', errorCode: 'RUN_CANCELLED', message }, dependencies);
}

/** Stops the run and tells its readers at once in this process; others notice within half a second. */
function announce(id: string, { durableRuns }: CancelDependencies): void {
  durableRuns.stop(id);
  durableRuns.notices.changed(id);
}
