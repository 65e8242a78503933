import { DatabaseError } from 'pg-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PreparedReads } from '../../../src/platform/database/prepared-read.ts';
import { testDatabase } from '../../support/database.ts';

// One connection, so that all but the first wait for it and travel together.
let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase({ poolSize: 1 });
});
afterAll(() => database.close());

const many = Array.from({ length: 40 }, (_, n) => n);
const numberOf = (n: number) =>
  database.sql<{ n: number; text: string }>`select ${n}::int as n, ${`text ${n}`}::text as text`;
const inverseOf = (n: number) =>
  database.sql<{ inverse: number }>`select 10 / ${n}::int as inverse`;

describe('reads that wait for a connection together', () => {
  it('get each its own answer, also those of a statement that none has prepared before', async () => {
    const other = (n: number) =>
      database.sql<{
        twice: number;
      }>`select 2 * ${n}::int as twice from generate_series(1, ${n}::int)`;
    const answers = await Promise.all(many.map((n) => (n % 2 ? other(n) : numberOf(n))));
    expect(answers).toEqual(
      many.map((n) => (n % 2 ? Array(n).fill({ twice: 2 * n }) : [{ n, text: `text ${n}` }])),
    );
  });

  it('are counted among those who wait', async () => {
    const answers = Promise.all(many.map(numberOf));
    expect(database.connections().waiting).toBeGreaterThanOrEqual(35);
    await answers;
    expect(database.connections().waiting).toBe(0);
  });

  it('do not fail with the one that fails among them', async () => {
    const answers = await Promise.allSettled(
      many.map((n) => (n % 7 === 3 ? inverseOf(0) : numberOf(n))),
    );
    for (const [n, answer] of answers.entries()) {
      if (n % 7 === 3)
        expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(answer).toEqual({ status: 'fulfilled', value: [{ n, text: `text ${n}` }] });
    }
  });

  it('are told by the code of a fault whom it concerns, for its words are in the language of the server', () => {
    const faultOf = (code: string) =>
      Object.assign(new DatabaseError('Division durch Null', 0, 'error'), {
        code,
        severity: 'FEHLER',
      });
    const outcomeOf = (code: string) => {
      const failed: string[] = [];
      const reads = ['one', 'two'].map((name) => ({
        question: { name, text: 'select' },
        done: () => {},
        failed: () => void failed.push(name),
      }));
      let unasked = 0;
      new PreparedReads(reads, (_, left) => {
        unasked = left.length;
      }).handleError(faultOf(code));
      return { failed: [...new Set(failed)], unasked };
    };
    expect(outcomeOf('22012')).toEqual({ failed: ['one'], unasked: 1 });
    expect(outcomeOf('57P01')).toEqual({ failed: ['one', 'two'], unasked: 0 });
  });

  it('one that cannot be read fails alone', async () => {
    const beyond = () => database.sql`select 9007199254740993::int8 as n`;
    const answers = await Promise.allSettled([numberOf(1), numberOf(2), beyond(), numberOf(3)]);
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('leave what writes by itself: it is stored although one behind it fails', async () => {
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

  it('let a transaction have the connection that is waiting for it', async () => {
    let running = true;
    const hot = many.map(async (n) => {
      while (running) await numberOf(n);
    });
    expect(await database.prisma.$transaction(async (tx) => tx.$queryRaw`select 1 as one`)).toEqual(
      [{ one: 1 }],
    );
    running = false;
    await Promise.all(hot);
  });
});

// In the embedded database each statement is a message and a transaction of its own.
describe.skipIf(!process.env['TEST_DATABASE_URL'])(
  'reads that are asked for in one turn of the event loop, as by requests that came at once',
  () => {
    it('are sent together', async () => {
      // What travels together is one transaction, and has its time.
      const at = async () => (await database.sql<{ at: string }>`select now()::text as at`)[0]?.at;
      await at();
      const times = await Promise.all(
        Array.from({ length: 8 }, () => new Promise(setImmediate).then(at)),
      );
      expect(times.filter((time) => time === times[0])).toHaveLength(4);
    });
  },
);

// The embedded database ends with its process.
describe.skipIf(!process.env['TEST_DATABASE_URL'])('reads whose connection is lost', () => {
  it('fail with it, all of them, and the next ones have another', async () => {
    const [{ pid } = { pid: 0 }] = await database.sql<{
      pid: number;
    }>`select pg_backend_pid() as pid`;
    const slow = Promise.allSettled([
      database.sql`select pg_sleep(${10}::int)`,
      ...many.map(numberOf),
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
