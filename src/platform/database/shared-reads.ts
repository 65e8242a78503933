import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import {
  isPreparedRead,
  type PendingRead,
  type PreparedQuery,
  PreparedReads,
} from './prepared-read.ts';

type WaitingRead = PendingRead & { sinceMs: number };

/** Maximum number of reads per batch, so that one slow read delays at most seven others. */
const batchMax = 8;

/**
 * Sends reads that wait for a connection at the same time together: for a short statement, waking
 * the server costs more than executing it. Reads of one turn of the event loop are collected until
 * its end. A single read is sent alone. A connection is released as soon as other code waits for
 * one.
 */
export class SharedReads {
  readonly #pool: Pool;
  readonly #connectionsMax: number;
  readonly #waiting: WaitingRead[] = [];
  /** Whether a statement only reads, by statement name. */
  readonly #isRead = new Map<string, boolean>();
  #connectionsUsed = 0;
  #isScheduled = false;

  constructor(pool: Pool, connectionsMax: number) {
    this.#pool = pool;
    this.#connectionsMax = connectionsMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  query<Row extends QueryResultRow>(config: QueryConfig): Promise<{ rows: Row[] }> {
    if (!isPreparedRead(config) || !this.#onlyReads(config)) return this.#pool.query<Row>(config);
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        query: config,
        done: ({ rows }) => resolve({ rows: rows as Row[] }),
        failed: reject,
        sinceMs: performance.now(),
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      // Each connection takes half of the remaining reads.
      for (
        let remaining = this.#waiting.length;
        remaining > 0;
        remaining = Math.floor(remaining / 2)
      )
        this.#startBatch();
    });
  }

  #onlyReads({ name, text }: PreparedQuery): boolean {
    const isRead =
      this.#isRead.get(name) ??
      (/^\s*select\b/i.test(text) &&
        !/\bfor\s+(no\s+key\s+)?(key\s+)?(update|share)\b/i.test(text));
    this.#isRead.set(name, isRead);
    return isRead;
  }

  #startBatch(): void {
    if (this.#waiting.length === 0 || this.#connectionsUsed === this.#connectionsMax) return;
    this.#connectionsUsed += 1;
    this.#pool.connect().then(
      (client) => this.#runBatch(client),
      (fault: Error) => {
        this.#connectionsUsed -= 1;
        // Batches that already have a connection will serve the waiting reads. If the server does
        // not respond, no batch has a connection and new attempts follow each other, so each read
        // waits no longer than the connection timeout.
        const waitMs = this.#pool.options.connectionTimeoutMillis ?? 0;
        for (const read of this.#waiting.splice(0)) {
          if (this.#connectionsUsed === 0 || performance.now() - read.sinceMs >= waitMs)
            read.failed(fault);
          else this.#waiting.push(read);
        }
      },
    );
  }

  #runBatch(client: PoolClient): void {
    // Takes half of the waiting reads; the next free connection takes half of the rest.
    const reads = this.#waiting.splice(0, Math.min(batchMax, Math.ceil(this.#waiting.length / 2)));
    if (reads.length === 0) {
      this.#release(client, null);
      return;
    }
    const onEnd = (fault: Error | null, unexecuted: readonly PendingRead[]): void => {
      this.#waiting.unshift(...reads.slice(reads.length - unexecuted.length));
      if (fault || this.#pool.waitingCount > 0 || this.#waiting.length === 0)
        this.#release(client, fault);
      else this.#runBatch(client);
    };
    client.query(new PreparedReads(reads, onEnd));
  }

  #release(client: PoolClient, fault: Error | null): void {
    this.#connectionsUsed -= 1;
    client.release(fault ?? undefined);
    this.#startBatch();
  }
}
