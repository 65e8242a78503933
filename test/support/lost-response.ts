import type { Database } from '../../src/platform/database/database.ts';
import { withTrigger } from './trigger.ts';

/** Simulates a process that is killed after the commit and before it has stored its response. */
export const withLostResponse = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  withTrigger(
    database,
    'before update on idempotent_requests',
    'if new.answer is not null then new.answer := null; new.steps := old.steps; new.alive_until := to_timestamp(0); end if; return new;',
    work,
  );
