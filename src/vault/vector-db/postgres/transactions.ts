import { Client, Pool, type PoolClient, type QueryResultRow } from 'pg';
import type { PostgresAddress } from './address.ts';
import { type Ownership, OwnershipLost } from './ownership.ts';

const readersMax = 6;
const writersMax = 4;
const connectTimeoutMs = 9_000;
const statementTimeoutMs = 60_000;
/** Longer than the limit of the server: only a connection that does not answer reaches it. */
const answerTimeoutMs = 90_000;

export type Query = <Row extends QueryResultRow>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>;

/** Transactions of every collection see the lists of documents and generations as a whole. */
export const everyCollection = 0;

export type Transactions = ReturnType<typeof createTransactions>;

/** Runs transactions that see one collection, as long as this process owns the schema. */
export function createTransactions(
  { connectionString, schema }: PostgresAddress,
  ownership: Ownership,
) {
  const createPool = (max: number) => {
    const pool = new Pool({
      connectionString,
      max,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      fallback_application_name: 'atrium-vector-db',
    });
    // The statement that a lost connection interrupts rejects as well.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  const [readers, writers] = [createPool(readersMax), createPool(writersMax)];
  const searchPath = `set local search_path to "${schema}", "${ownership.extensionSchema}"`;
  const settings = (collection: number) =>
    `${searchPath}; set local statement_timeout = ${statementTimeoutMs};
     set local atrium_vectors.collection = '${collection}'`;

  const run = async <T>(
    pool: Pool,
    begin: string,
    work: (query: Query) => Promise<T>,
  ): Promise<T> => {
    ownership.require();
    const client = await pool.connect();
    let isCommitting = false;
    try {
      if (!(await ownsSchema(client, begin, ownership.epoch))) {
        ownership.lose(new Error('another process owns the schema'));
        throw new OwnershipLost();
      }
      const result = await work(
        async <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
          (await client.query<Row>(text, values)).rows,
      );
      ownership.require();
      isCommitting = true;
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // Nobody knows whether the transaction was committed, so the state in memory is read again.
      if (isCommitting)
        ownership.lose(error instanceof Error ? error : new Error('a commit has failed'));
      const isUsable = await client.query('rollback').then(
        () => true,
        () => false,
      );
      client.release(!isUsable || isCommitting);
      throw error;
    }
  };

  return {
    /** Everything that `work` reads is of one moment. */
    read: <T>(collection: number, work: (query: Query) => Promise<T>): Promise<T> =>
      run(
        readers,
        // The statistics of a table that has just grown are wrong, and each statement has an index.
        `begin isolation level repeatable read read only; ${settings(collection)};
         set local enable_seqscan = off; set local jit = off; select epoch from state`,
        work,
      ),
    /**
     * The lock on the row of the epoch lasts to the end of the transaction, and the next owner waits
     * for it. With `isDurable: false` the server flushes it with the next durable one.
     */
    write: <T>(
      collection: number,
      work: (query: Query) => Promise<T>,
      { isDurable = true } = {},
    ): Promise<T> =>
      run(
        writers,
        `begin isolation level read committed; ${settings(collection)}; ${isDurable ? '' : 'set local synchronous_commit = off;'}
         select epoch from state for share`,
        work,
      ),
    /** Runs one statement outside of a transaction and without a limit of time. */
    async maintain(text: string): Promise<void> {
      ownership.require();
      const client = new Client({
        connectionString,
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        fallback_application_name: 'atrium-vector-db',
      });
      client.on('error', () => {});
      await client.connect();
      try {
        await client.query(`${searchPath.replace('set local', 'set')}; set statement_timeout = 0`);
        await client.query(text);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    async close(): Promise<void> {
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

async function ownsSchema(client: PoolClient, begin: string, epoch: number): Promise<boolean> {
  // Several statements in one query have several results.
  const results: unknown = await client.query(begin);
  const last: unknown = Array.isArray(results) ? results.at(-1) : undefined;
  const { rows } = Object(last);
  return Number(rows?.[0]?.epoch) === epoch;
}
