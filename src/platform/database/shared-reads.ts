import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { isPreparedRead, PreparedReads, type Question, type Read } from './prepared-read.ts';

type Waiting = Read & { sinceMs: number };

/** However many wait, no more wait for one that is slow. */
const togetherMax = 8;

/**
 * Reads that wait for a connection at the same time travel on it together: for a short statement,
 * waking the other side costs more than its answer. Those of one turn of the event loop wait for
 * its end. Who comes alone goes alone. A connection is given back as soon as anybody else waits for
 * one.
 */
export class SharedReads {
  readonly #pool: Pool;
  readonly #connectionsMax: number;
  readonly #waiting: Waiting[] = [];
  /** By the names of statements, whether they change nothing. */
  readonly #reading = new Map<string, boolean>();
  #used = 0;
  #isGathering = false;

  constructor(pool: Pool, connectionsMax: number) {
    this.#pool = pool;
    this.#connectionsMax = connectionsMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  ask<Row extends QueryResultRow>(question: QueryConfig): Promise<{ rows: Row[] }> {
    if (!isPreparedRead(question) || !this.#onlyReads(question))
      return this.#pool.query<Row>(question);
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        question,
        done: ({ rows }) => resolve({ rows: rows as Row[] }),
        failed: reject,
        sinceMs: performance.now(),
      });
      this.#gather();
    });
  }

  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    setImmediate(() => {
      this.#isGathering = false;
      // Each connection takes half of those whom the one before it has left.
      for (let left = this.#waiting.length; left > 0; left = Math.floor(left / 2)) this.#go();
    });
  }

  #onlyReads({ name, text }: Question): boolean {
    const known =
      this.#reading.get(name) ??
      (/^\s*select\b/i.test(text) &&
        !/\bfor\s+(no\s+key\s+)?(key\s+)?(update|share)\b/i.test(text));
    this.#reading.set(name, known);
    return known;
  }

  #go(): void {
    if (this.#waiting.length === 0 || this.#used === this.#connectionsMax) return;
    this.#used += 1;
    this.#pool.connect().then(
      (client) => this.#ask(client),
      (fault: Error) => {
        this.#used -= 1;
        // Whoever has a connection goes on with those who wait. Where the server is silent nobody
        // has one and somebody always tries: so each of them waits for as long as a connection may
        // take, and no longer.
        const waitMs = this.#pool.options.connectionTimeoutMillis ?? 0;
        for (const read of this.#waiting.splice(0)) {
          if (this.#used === 0 || performance.now() - read.sinceMs >= waitMs) read.failed(fault);
          else this.#waiting.push(read);
        }
      },
    );
  }

  #ask(client: PoolClient): void {
    // Half of those who wait: the next connection that is free takes of the other half.
    const reads = this.#waiting.splice(
      0,
      Math.min(togetherMax, Math.ceil(this.#waiting.length / 2)),
    );
    if (reads.length === 0) {
      this.#giveBack(client, null);
      return;
    }
    const over = (fault: Error | null, unasked: readonly Read[]): void => {
      this.#waiting.unshift(...reads.slice(reads.length - unasked.length));
      if (fault || this.#pool.waitingCount > 0 || this.#waiting.length === 0)
        this.#giveBack(client, fault);
      else this.#ask(client);
    };
    client.query(new PreparedReads(reads, over));
  }

  #giveBack(client: PoolClient, fault: Error | null): void {
    this.#used -= 1;
    client.release(fault ?? undefined);
    this.#go();
  }
}
