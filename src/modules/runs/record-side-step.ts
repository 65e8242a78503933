import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RunParticipant, RunRecord } from './run-record.ts';
import type { StepUsage } from './run-steps.ts';
import { RunWrites } from './run-writes.ts';

/** A run has fewer steps, so the number is never that of one of them. */
const sideStepNumber = 10_000;

type SideStepDependencies = {
  database: Pick<Database, 'transact'>;
  clock: Clock;
  participants: readonly RunParticipant[];
};

/**
 * A call of the model that is no step of the answer, such as the one that writes a title. It counts
 * as usage and for budgets like a step, and is no part of the record of the run, which has ended.
 */
export function startSideStep(
  /** An object of its own, because participants know a run by its object. */
  run: RunRecord,
  { database, clock, participants }: SideStepDependencies,
) {
  const startedAt = clock();
  return {
    /** An error refuses the call. */
    async reserve(): Promise<void> {
      for (const participant of participants)
        await participant.beforeStep?.(run, { number: sideStepNumber });
    },
    /** Also needed after a failure, because it ends the reservation. */
    async record(usage: StepUsage): Promise<void> {
      await database.transact((tx) => {
        const writes = new RunWrites();
        const step = {
          ...{ number: sideStepNumber, startedAt, endedAt: clock(), usage },
          ...{ messages: [], requestsTools: false, finishReason: 'stop' as const },
        };
        for (const participant of participants) participant.recordStep?.(writes, run, step);
        writes.sendTo(tx);
      });
    },
  };
}

export type SideStep = ReturnType<typeof startSideStep>;
