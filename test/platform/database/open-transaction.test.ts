import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkViolation,
  isRetryable,
  isUnavailable,
  uniqueViolation,
} from '../../../src/platform/database/faults.ts';
import type { Transaction } from '../../../src/platform/database/open-transaction.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { faultOf } from '../../support/fault-of.ts';
import { watchStatements } from '../../support/statements.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase({ poolSize: 2 });
});
afterAll(() => database.close());

const newAddress = () => `${crypto.randomUUID()}@transaction.example`;
const insertUser = (email: string, { sql }: Pick<Transaction, 'sql'> = database) =>
  sql`insert into users (id, email) values (${crypto.randomUUID()}, ${email}) returning email`;
const isStored = async (email: string) =>
  (await database.sql`select id from users where email = ${email}`).length === 1;

describe('a transaction', () => {
  it('The statements of a transaction are stored together or not at all', async () => {
    const [stored, refused] = [newAddress(), newAddress()];
    await inTransaction(database, (tx) => insertUser(stored, tx));
    const failing = inTransaction(database, async (tx) => {
      await insertUser(refused, tx);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect([await isStored(stored), await isStored(refused)]).toEqual([true, false]);
  });

  it('BEGIN is sent with the first statement, and enqueued statements with COMMIT', async () => {
    const watch = watchStatements();
    const email = newAddress();
    const { statements } = await watch.during(() =>
      inTransaction(database, async (tx) => {
        await insertUser(email, tx);
        tx.enqueue`update users set first_name = ${'Ada'} where email = ${email}`;
      }),
    );
    watch.stop();
    expect(statements.map((text) => text.split(' ')[0])).toEqual([
      'begin',
      'insert',
      'update',
      'commit',
    ]);
    expect(await database.sql`select first_name as name from users where email = ${email}`).toEqual(
      [{ name: 'Ada' }],
    );
  });

  it('A transaction of one last statement is that statement alone', async () => {
    const watch = watchStatements();
    const email = newAddress();
    const { statements } = await watch.during(() =>
      inTransaction(
        database,
        (tx) => tx.commitWith`insert into users (id, email) values (${email}, ${email})`,
      ),
    );
    watch.stop();
    expect(statements).toHaveLength(1);
    expect(await isStored(email)).toBe(true);
  });

  it('A transaction without a statement sends nothing', async () => {
    const watch = watchStatements();
    const { result, statements } = await watch.during(() => inTransaction(database, () => 7));
    watch.stop();
    expect([result, statements]).toEqual([7, []]);
  });

  it('Statements that are started together get their own results', async () => {
    const numbers = await inTransaction(database, (tx) =>
      Promise.all([1, 2, 3].map((n) => tx.sql<{ n: number }>`select ${n}::int as n`)),
    );
    expect(numbers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  });

  it('A transaction cannot be used after it has ended', async () => {
    const ended = await inTransaction(database, (tx) => ({ tx }));
    await expect(ended.tx.sql`select 1`).rejects.toThrow('The transaction has ended');
  });
});

describe('a fault in a transaction', () => {
  it('The fault of a statement, an enqueued statement and a last statement names its constraint', async () => {
    const email = newAddress();
    await insertUser(email);
    const faults = [
      await faultOf(inTransaction(database, (tx) => insertUser(email, tx))),
      await faultOf(
        inTransaction(database, (tx) => {
          tx.enqueue`insert into users (id, email) values ('again', ${email})`;
        }),
      ),
      await faultOf(
        inTransaction(database, async (tx) => {
          tx.enqueue`insert into users (id, email) values ('again', ${email})`;
          await tx.sql`select 1`;
        }),
      ),
      await faultOf(
        inTransaction(
          database,
          (tx) => tx.commitWith`insert into users (id, email) values ('again', ${email})`,
        ),
      ),
    ];
    expect(faults.map(uniqueViolation)).toEqual(
      faults.map(() => ({ constraint: 'users_email_key' })),
    );
  });

  it('A transaction that ignored a failed statement rejects, and its connection serves the next one', async () => {
    const [first, existing] = [newAddress(), newAddress()];
    await insertUser(existing);
    for (let round = 0; round < 4; round += 1) {
      const transaction = inTransaction(database, async (tx) => {
        await insertUser(first, tx);
        await faultOf(insertUser(existing, tx));
      });
      await expect(transaction).rejects.toThrow('can not be committed');
    }
    expect(await isStored(first)).toBe(false);
    expect(await inTransaction(database, (tx) => tx.sql`select 1 as alive`)).toEqual([
      { alive: 1 },
    ]);
  });

  it('A rule that is only checked at COMMIT rejects the transaction', async () => {
    const create = (tx: Transaction) =>
      tx.enqueue`insert into organizations (id, slug, name, features) values ('bare', 'bare', 'Bare', '{}')`;
    const alone = (tx: Transaction) =>
      tx.commitWith`insert into organizations (id, slug, name, features) values ('bare', 'bare', 'Bare', '{}')`;
    for (const run of [create, alone])
      expect(checkViolation(await faultOf(inTransaction<unknown>(database, run)))).toEqual({
        constraint: 'organizations_default_team',
      });
  });

  it('A failed transaction does not close its connection', async () => {
    const one = await testDatabase({ poolSize: 1 });
    const session = () => one.sql`select pg_backend_pid() as pid`;
    const before = await session();
    await faultOf(inTransaction(one, (tx) => tx.sql`select 1 / 0`));
    await faultOf(inTransaction(one, () => Promise.reject(new Error('refused'))));
    expect(await session()).toEqual(before);
    await one.close();
  });

  it('A transaction that conflicts each time is given up after ten attempts', async () => {
    let attempts = 0;
    const fault = await faultOf(
      inTransaction(database, (tx) => {
        attempts += 1;
        return tx.sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`;
      }),
    );
    expect([attempts, isRetryable(fault)]).toEqual([10, true]);
  });

  it.skipIf(!serverUrl)(
    'A transaction whose connection is lost is reported as unavailable, and the next one succeeds',
    async () => {
      const lost = inTransaction(database, async (tx) => {
        await tx.sql`select 1`;
        await tx.sql`select pg_terminate_backend(pg_backend_pid())`;
      });
      expect(isUnavailable(await faultOf(lost))).toBe(true);
      expect(await inTransaction(database, (tx) => tx.sql`select 1 as alive`)).toEqual([
        { alive: 1 },
      ]);
    },
  );

  it('Locks are free when the fault arrives', async () => {
    const email = newAddress();
    await insertUser(email);
    const lock = (tx: Transaction) =>
      tx.sql`select id from users where email = ${email} for update nowait`;
    for (let round = 0; round < 3; round += 1) {
      await faultOf(
        inTransaction(database, async (tx) => {
          await lock(tx);
          throw new Error('refused');
        }),
      );
      expect(await inTransaction(database, lock)).toHaveLength(1);
    }
    await pause(0);
  });
});
