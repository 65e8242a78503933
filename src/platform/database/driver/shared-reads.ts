import type { Pool, PoolClient } from 'pg';
import { executeOn, Pipeline } from './pipeline.ts';
import type { PendingStatement, Row, Statement } from './statement.ts';

type WaitingRead = PendingStatement & { sinceMs: number };

/** Maximum number of reads per batch, so that one slow read delays at most seven others. */
const batchMax = 8;
/** While a connection is free, the reads of a batch are expected to take at most this together. */
const batchMsMax = 5;
/** A read that is expected to take no longer is short. A statement is, until it was measured. */
const shortMsMax = 1;
/** The weight of a new measurement in the moving average of a statement's duration. */
const measurementWeight = 1 / 8;

type StatementInfo = {
  /** Whether it only reads. */
  isRead: boolean;
  /** The moving average of its share in the durations of its batches. */
  expectedMs: number;
};

/**
 * Executes single statements, each on any connection of a pool. Reads that wait at the same time
 * are sent together: for a short statement, waking the server costs more than executing it. Reads
 * of one turn of the event loop are collected until its end, and while a batch of short reads is
 * executed, further reads wait for its end. They get a connection of their own if it is late, or at
 * once if only longer reads are executed. A connection is released as soon as other code waits for
 * one. Writes and statements without a name are sent alone.
 */
export class SharedReads {
  readonly #pool: Pool;
  readonly #connectionsMax: number;
  readonly #waiting: WaitingRead[] = [];
  /** By statement name. */
  readonly #statements = new Map<string, StatementInfo>();
  #connectionsUsed = 0;
  /** The number of connections that were requested, and that will take waiting reads. */
  #connecting = 0;
  #isScheduled = false;
  /** Until then, waiting reads wait for the end of a batch of short reads. */
  #waitUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#connectionsMax = pool.options.max;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async execute(statement: Statement): Promise<Row[]> {
    if (this.#infoOf(statement)?.isRead)
      return new Promise((resolve, failed) => {
        const done: PendingStatement['done'] = ({ rows }) => resolve(rows);
        this.#waiting.push({ statement, done, failed, sinceMs: performance.now() });
        this.#schedule();
      });
    return executeAndRelease(await this.#pool.connect(), statement);
  }

  #infoOf({ name, text }: Statement): StatementInfo | undefined {
    if (name === undefined) return undefined;
    const info = this.#statements.get(name) ?? {
      isRead:
        /^\s*select\b/i.test(text) &&
        !/\bfor\s+(no\s+key\s+)?(key\s+)?(update|share)\b/i.test(text),
      expectedMs: shortMsMax,
    };
    this.#statements.set(name, info);
    return info;
  }

  #expectedMs(reads: readonly WaitingRead[]): number {
    return reads.reduce((ms, { statement }) => ms + (this.#infoOf(statement)?.expectedMs ?? 0), 0);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startBatches();
    });
  }

  /** Requests connections for the waiting reads, or waits for the end of a batch of short reads. */
  #startBatches(): void {
    let unserved = this.#waiting.length - this.#connecting * batchMax;
    for (; unserved > 0 && this.#connectionsUsed < this.#connectionsMax; unserved -= batchMax) {
      const waitMs = this.#connectionsUsed > 0 ? this.#waitUntilMs - performance.now() : 0;
      if (waitMs > 0) {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#startBatches();
        }, waitMs);
        return;
      }
      this.#startBatch();
    }
  }

  #startBatch(): void {
    this.#connectionsUsed += 1;
    this.#connecting += 1;
    this.#pool.connect().then(
      (client) => {
        this.#connecting -= 1;
        this.#runBatch(client);
      },
      (fault: Error) => {
        this.#connecting -= 1;
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
    const reads = this.#takeBatch();
    if (reads.length === 0) {
      this.#release(client, null);
      return;
    }
    const expectedMs = this.#expectedMs(reads);
    const isShort = expectedMs <= shortMsMax * reads.length;
    const startedAtMs = performance.now();
    // Most batches that take longer than expected end soon.
    if (isShort) this.#waitUntilMs = startedAtMs + 2 * expectedMs + 1;
    const onEnd = (fault: Error | null, unexecuted: readonly PendingStatement[]): void => {
      if (isShort) this.#waitUntilMs = 0;
      if (!fault) this.#recordDuration(reads, (performance.now() - startedAtMs) / expectedMs);
      this.#waiting.unshift(...reads.slice(reads.length - unexecuted.length));
      if (fault || this.#pool.waitingCount > 0 || this.#waiting.length === 0)
        this.#release(client, fault);
      else this.#runBatch(client);
    };
    client.query(new Pipeline(reads, onEnd));
    this.#startBatches();
  }

  #takeBatch(): WaitingRead[] {
    const isConnectionFree = this.#connectionsUsed < this.#connectionsMax;
    let count = 0;
    let expectedMs = 0;
    for (const read of this.#waiting) {
      expectedMs += this.#expectedMs([read]);
      const isFull = count === batchMax || (isConnectionFree && expectedMs > batchMsMax);
      if (isFull && count > 0) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Records that the batch of these reads took `factor` times as long as expected. */
  #recordDuration(reads: readonly WaitingRead[], factor: number): void {
    // A pause of this process or of the server says little about a statement.
    const change = measurementWeight * (Math.min(factor, 2) - 1);
    for (const { statement } of reads) {
      const info = this.#infoOf(statement);
      if (info) info.expectedMs *= 1 + change;
    }
  }

  #release(client: PoolClient, fault: Error | null): void {
    this.#connectionsUsed -= 1;
    client.release(fault ?? undefined);
    this.#startBatches();
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
