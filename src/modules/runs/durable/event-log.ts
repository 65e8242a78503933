import type { Database } from '../../../platform/database/database.ts';
import type { ClaimedRun } from './claim-run.ts';
import type { StoredEvent } from './run-event.ts';
import { LeaseLost } from './run-leases.ts';
import type { RunNotices } from './run-notices.ts';

// One statement for each batch: a model writes up to a hundred deltas a second.
const flushAfterMs = 75;

type EventLogOptions = {
  run: ClaimedRun;
  /** The number of the last event that is stored already. */
  lastSequence: number;
  database: Pick<Database, 'sql'>;
  notices: RunNotices;
  /** Called if a batch cannot be stored. The run must not go on without its events. */
  failed: (error: unknown) => void;
};

/**
 * Stores the events of a run in small batches. Only the holder of the lease can store any, so the
 * numbers have neither gaps nor repetitions, also if several processes execute the run in turn.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  #lastSequence: number;
  #pending: StoredEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stored: Promise<void> = Promise.resolve();

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#lastSequence = options.lastSequence;
  }

  /** The number of the next event, once everything is stored. */
  get nextSequence(): number {
    return this.#lastSequence + 1;
  }

  add(event: StoredEvent): void {
    const last = this.#pending.at(-1);
    const isText = event.type === 'text' || event.type === 'reasoning';
    if (isText && last?.type === event.type) last.text += event.text;
    else this.#pending.push({ ...event });
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.#options.failed);
    }, flushAfterMs);
  }

  /** Stores everything that was added. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stored = this.#stored.then(() => this.#store());
    return this.#stored;
  }

  /** Drops what is not stored. */
  close(): void {
    clearTimeout(this.#timer);
    this.#pending = [];
  }

  async #store(): Promise<void> {
    const batch = this.#pending;
    if (batch.length === 0) return;
    this.#pending = [];
    const { run, database, notices } = this.#options;
    const sequences = batch.map((_, index) => this.#lastSequence + 1 + index);
    // The lock of the row makes a claim by another process wait for this statement, or this statement
    // for the claim.
    const rows = await database.sql`
      with holder as (
        select id, organization_id from runs
        where id = ${run.id} and lease_holder = ${run.holder} and state = 'RUNNING' for share)
      insert into run_events (run_id, sequence, organization_id, data)
      select holder.id, event.sequence, holder.organization_id, event.data
      from holder cross join unnest(${sequences}::int[], ${batch.map((event) => JSON.stringify(event))}::text[]) event (sequence, data)
      returning sequence`;
    if (rows.length === 0) throw new LeaseLost();
    this.#lastSequence += batch.length;
    notices.changed(run.id);
  }
}
