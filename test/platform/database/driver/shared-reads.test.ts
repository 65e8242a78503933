import { Pool } from 'pg';
import { DatabaseError } from 'pg-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pipeline } from '../../../../src/platform/database/driver/pipeline.ts';
import { SharedReads } from '../../../../src/platform/database/driver/shared-reads.ts';
import { testDatabase } from '../../../support/database.ts';

// There is one connection, so all reads but the first wait for it and are sent together.
let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase({ poolSize: 1 });
});
afterAll(() => database.close());

const numbers = Array.from({ length: 40 }, (_, n) => n);
const numberOf = (n: number) =>
  database.sql<{ n: number; text: string }>`select ${n}::int as n, ${`text ${n}`}::text as text`;
const inverseOf = (n: number) =>
  database.sql<{ inverse: number }>`select 10 / ${n}::int as inverse`;

describe('reads that share a connection', () => {
  it('each read gets its own result, also for a statement that was not prepared before', async () => {
    const other = (n: number) =>
      database.sql<{
        twice: number;
      }>`select 2 * ${n}::int as twice from generate_series(1, ${n}::int)`;
    const answers = await Promise.all(numbers.map((n) => (n % 2 ? other(n) : numberOf(n))));
    expect(answers).toEqual(
      numbers.map((n) => (n % 2 ? Array(n).fill({ twice: 2 * n }) : [{ n, text: `text ${n}` }])),
    );
  });

  it('waiting reads are included in the number of waiting requests', async () => {
    const answers = Promise.all(numbers.map(numberOf));
    expect(database.connections().waiting).toBeGreaterThanOrEqual(35);
    await answers;
    expect(database.connections().waiting).toBe(0);
  });

  it('a failing read does not affect the others', async () => {
    const answers = await Promise.allSettled(
      numbers.map((n) => (n % 7 === 3 ? inverseOf(0) : numberOf(n))),
    );
    for (const [n, answer] of answers.entries()) {
      if (n % 7 === 3)
        expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(answer).toEqual({ status: 'fulfilled', value: [{ n, text: `text ${n}` }] });
    }
  });

  it('the SQLSTATE decides which reads an error concerns, because the message is in the language of the server', () => {
    const faultOf = (code: string) =>
      Object.assign(new DatabaseError('Division durch Null', 0, 'error'), {
        code,
        severity: 'FEHLER',
      });
    const outcomeOf = (code: string) => {
      const failed: string[] = [];
      const statements = ['one', 'two'].map((name) => ({
        statement: { name, text: 'select', values: [] },
        done: () => {},
        failed: () => void failed.push(name),
      }));
      let unexecuted = 0;
      new Pipeline(statements, (_, remaining) => {
        unexecuted = remaining.length;
      }).handleError(faultOf(code));
      return { failed: [...new Set(failed)], unexecuted };
    };
    expect(outcomeOf('22012')).toEqual({ failed: ['one'], unexecuted: 1 });
    expect(outcomeOf('57P01')).toEqual({ failed: ['one', 'two'], unexecuted: 0 });
  });

  it('a result that cannot be parsed fails only its own read', async () => {
    const unreadable = () => database.sql`select 9007199254740993::int8 as n`;
    const answers = await Promise.allSettled([numberOf(1), numberOf(2), unreadable(), numberOf(3)]);
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('a write is not batched with reads: it is stored although a later read fails', async () => {
    await database.sql`create table if not exists written (n int)`;
    const write = (n: number) => database.sql`insert into written values (${n})`;
    await Promise.allSettled([
      numberOf(1),
      write(1),
      inverseOf(0),
      numberOf(2),
      write(2),
      inverseOf(0),
    ]);
    expect(await database.sql`select n from written order by n`).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('a transaction gets the connection although reads keep arriving', async () => {
    let running = true;
    const hot = numbers.map(async (n) => {
      while (running) await numberOf(n);
    });
    expect(await database.prisma.$transaction(async (tx) => tx.$queryRaw`select 1 as one`)).toEqual(
      [{ one: 1 }],
    );
    running = false;
    await Promise.all(hot);
  });
});

// In the embedded database each statement is a separate message and transaction.
describe.skipIf(!process.env['TEST_DATABASE_URL'])('reads of one turn of the event loop', () => {
  it('reads of concurrent requests are sent together', async () => {
    // Reads that are sent together are one transaction and see the same now().
    const at = async () => (await database.sql<{ at: string }>`select now()::text as at`)[0]?.at;
    await at();
    const times = await Promise.all(
      Array.from({ length: 8 }, () => new Promise(setImmediate).then(at)),
    );
    expect(times.filter((time) => time === times[0])).toHaveLength(8);
  });
});

// The embedded database executes one statement after the other.
const serverUrl = process.env['TEST_DATABASE_URL'];
describe.skipIf(!serverUrl)('reads while others are executed', () => {
  const pool = new Pool({ connectionString: serverUrl, max: 4 });
  afterAll(() => pool.end());
  const reads = new SharedReads(pool);
  const nextTurn = () => new Promise(setImmediate);
  const read = (name: string, text: string) => reads.execute({ name, text, values: [] });
  // Reads that are sent together are one transaction and see the same now().
  const at = async () => (await read('at', 'select now()::text as at'))[0]?.['at'];

  /** The fewest transactions, in ten rounds, of four reads that begin while another is executed. */
  async function fewestTransactions(startOther: (round: number) => Promise<unknown>) {
    const transactions: number[] = [];
    for (let round = 1; round <= 10; round += 1) {
      const other = startOther(round);
      await nextTurn();
      const reading: Promise<unknown>[] = [];
      for (let n = 0; n < 4; n += 1) {
        reading.push(at());
        await nextTurn();
      }
      transactions.push(new Set(await Promise.all(reading)).size);
      await other;
    }
    return Math.min(...transactions);
  }

  it('reads that begin one after the other while a short one is executed are sent together', async () => {
    await at();
    // A statement is expected to be short until it was measured. On a busy machine the turns of a
    // round can take longer than the reads wait, but not those of every round.
    const startUnknown = (round: number) => read(`unknown ${round}`, 'select pg_sleep(0.05)');
    expect(await fewestTransactions(startUnknown)).toBe(1);
  });

  it('a read begins at once while a statement is executed that took long before', async () => {
    const startLong = () => read('long', 'select pg_sleep(0.02)');
    for (let n = 0; n < 30; n += 1) await startLong();
    // Opens all connections, because a read that waits for a new one is not sent at once.
    await Promise.all([startLong(), startLong(), startLong(), startLong()]);
    expect(await fewestTransactions(startLong)).toBeGreaterThan(1);
  });

  it('reads do not wait for the end of one that takes long', async () => {
    const finished: string[] = [];
    const slow = read('slow', 'select pg_sleep(2)').then(() => finished.push('slow'));
    for (const name of ['short 1', 'short 2', 'short 3']) {
      await nextTurn();
      await at();
      finished.push(name);
    }
    await slow;
    expect(finished).toEqual(['short 1', 'short 2', 'short 3', 'slow']);
  });
});

// The embedded database has no connection that can be lost.
describe.skipIf(!process.env['TEST_DATABASE_URL'])('reads on a lost connection', () => {
  it('all reads on a lost connection fail, and the next ones get another connection', async () => {
    const [{ pid } = { pid: 0 }] = await database.sql<{
      pid: number;
    }>`select pg_backend_pid() as pid`;
    const slow = Promise.allSettled([
      database.sql`select pg_sleep(${10}::int)`,
      ...numbers.map(numberOf),
    ]);
    const killer = await testDatabase();
    await killer.sql`select pg_terminate_backend(${pid}::int)`;
    await killer.close();
    const [first, ...others] = await slow;
    expect(first?.status).toBe('rejected');
    expect(others.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await numberOf(7)).toEqual([{ n: 7, text: 'text 7' }]);
  });
});
