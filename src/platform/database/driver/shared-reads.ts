import type { Pool, PoolClient } from 'pg';
import { executeOn, Pipeline } from './pipeline.ts';
import type { PendingStatement, Row, Statement } from './statement.ts';

type WaitingRead = PendingStatement & { sinceMs: number };

/** Maximum number of reads per batch, so that one slow read delays at most seven others. */
const batchMax = 8;
/** While a connection is free, a batch gets only reads that usually take this long together. */
const batchMs = 5;
/** A read that usually takes less is short. */
const shortMs = 1;
/** How fast a duration that was measured changes the usual one. */
const weight = 1 / 8;

type KnownStatement = {
  /** Whether it only reads. */
  isRead: boolean;
  /** How long an execution usually takes, as its part of a batch. */
  usualMs: number;
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
  readonly #known = new Map<string, KnownStatement>();
  #connectionsUsed = 0;
  /** Connections that were requested, and take waiting reads when they are there. */
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
    if (this.#knownOf(statement)?.isRead)
      return new Promise((resolve, failed) => {
        const done: PendingStatement['done'] = ({ rows }) => resolve(rows);
        this.#waiting.push({ statement, done, failed, sinceMs: performance.now() });
        this.#schedule();
      });
    return executeAndRelease(await this.#pool.connect(), statement);
  }

  #knownOf({ name, text }: Statement): KnownStatement | undefined {
    if (name === undefined) return undefined;
    const known = this.#known.get(name) ?? {
      isRead:
        /^\s*select\b/i.test(text) &&
        !/\bfor\s+(no\s+key\s+)?(key\s+)?(update|share)\b/i.test(text),
      usualMs: shortMs,
    };
    this.#known.set(name, known);
    return known;
  }

  #usualMs(reads: readonly WaitingRead[]): number {
    return reads.reduce((ms, { statement }) => ms + (this.#knownOf(statement)?.usualMs ?? 0), 0);
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
    const usualMs = this.#usualMs(reads);
    const isShort = usualMs <= shortMs * reads.length;
    const startedAtMs = performance.now();
    // One millisecond more, because most batches that take longer than usual end soon.
    if (isShort) this.#waitUntilMs = startedAtMs + 2 * usualMs + 1;
    const onEnd = (fault: Error | null, unexecuted: readonly PendingStatement[]): void => {
      if (isShort) this.#waitUntilMs = 0;
      if (!fault) this.#learn(reads, (performance.now() - startedAtMs) / usualMs);
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
    let usualMs = 0;
    for (const read of this.#waiting) {
      usualMs += this.#usualMs([read]);
      const isFull = count === batchMax || (isConnectionFree && usualMs > batchMs);
      if (isFull && count > 0) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Notes that the batch of these reads took `factor` times as long as usual. */
  #learn(reads: readonly WaitingRead[], factor: number): void {
    // A pause of this process or of the server says little about a statement.
    const change = weight * (Math.min(factor, 2) - 1);
    for (const { statement } of reads) {
      const known = this.#knownOf(statement);
      if (known) known.usualMs *= 1 + change;
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
