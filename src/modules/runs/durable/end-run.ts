import type { Database } from '../../../platform/database/database.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import type { RunDependencies } from '../run-assistant.ts';
import { type RunOutcome, recordEnd } from '../run-record.ts';
import { RunWrites } from '../run-writes.ts';
import { contentOfEnd } from './content-of-end.ts';
import { notifyOfEnd } from './notify-of-end.ts';
import type { StoredRecord } from './run.ts';

export type EndDependencies = Pick<RunDependencies, 'clock' | 'runs'> & { database: Database };

/** Ends a run that no process executes, or whose process must stop. Its row is locked. */
export function endRun(
  tx: Transaction,
  { userId, ...record }: StoredRecord,
  outcome: RunOutcome,
  { clock, runs }: EndDependencies,
): void {
  const content = { recordEnd: contentOfEnd(runs.contentHours) };
  const notification = { recordEnd: notifyOfEnd(clock) };
  const writes = new RunWrites();
  recordEnd(writes, { ...record, userId: userId ?? '' }, outcome, {
    clock,
    participants: [content, notification, ...runs.participants],
  });
  writes.sendTo(tx);
}
