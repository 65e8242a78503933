import type { ErrorCode } from '../../../platform/errors.ts';
import type { RunEvent, RunResult } from '../run-result.ts';
import type { RunState } from './run.ts';

/** A step begins. If it was interrupted before, its text begins anew and `attempt` is greater. */
export type StepEvent = { type: 'step'; number: number; attempt: number };

/** The last event of a run without a result. */
export type FailedEvent = {
  type: 'failed';
  state: RunState;
  code: ErrorCode;
  message: string;
};

/** An event as it is stored. The result is stored once, with the content of the run. */
export type StoredEvent = RunEvent | StepEvent | { type: 'done' } | FailedEvent;

/** An event of a durable run with its number, from 1. */
export type SequencedEvent = { sequence: number } & (
  | RunEvent
  | StepEvent
  | { type: 'done'; result: RunResult }
  | FailedEvent
);
