import type { Pool, PoolClient } from 'pg';
import { executeOn, Pipeline } from './pipeline.ts';
import type { PendingStatement, Row, Statement } from './statement.ts';

type WaitingRead = PendingStatement & { sinceMs: number };

/** Maximum number of reads per batch, so that one slow read delays at most seven others. */
const batchMax = 8;

/**
 * Executes single statements, each on any connection of a pool. Reads that wait for a connection at
 * the same time are sent together: for a short statement, waking the server costs more than
 * executing it. Reads of one turn of the event loop are collected until its end. A connection is
 * released as soon as other code waits for one. Writes and statements without a name are sent alone.
 */
export class SharedReads {
  readonly #pool: Pool;
  readonly #connectionsMax: number;
  readonly #waiting: WaitingRead[] = [];
  /** Whether a statement only reads, by statement name. */
  readonly #isRead = new Map<string, boolean>();
  #connectionsUsed = 0;
  #isScheduled = false;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#connectionsMax = pool.options.max;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async execute(statement: Statement): Promise<Row[]> {
    if (this.#onlyReads(statement))
      return new Promise((resolve, failed) => {
        const done: PendingStatement['done'] = ({ rows }) => resolve(rows);
        this.#waiting.push({ statement, done, failed, sinceMs: performance.now() });
        this.#schedule();
      });
    return executeAndRelease(await this.#pool.connect(), statement);
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

  #onlyReads({ name, text }: Statement): boolean {
    if (name === undefined) return false;
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
    const onEnd = (fault: Error | null, unexecuted: readonly PendingStatement[]): void => {
      this.#waiting.unshift(...reads.slice(reads.length - unexecuted.length));
      if (fault || this.#pool.waitingCount > 0 || this.#waiting.length === 0)
        this.#release(client, fault);
      else this.#runBatch(client);
    };
    client.query(new Pipeline(reads, onEnd));
  }

  #release(client: PoolClient, fault: Error | null): void {
    this.#connectionsUsed -= 1;
    client.release(fault ?? undefined);
    this.#startBatch();
  }
}

/** Executes a statement and returns the connection to its pool. */
export async function executeAndRelease(client: PoolClient, statement: Statement): Promise<Row[]> {
  try {
    const { rows } = await executeOn(client, statement);
    client.release();
    return rows;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}
