import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUnavailable } from '../../../src/platform/database/faults.ts';
import { testDatabase } from '../../support/database.ts';
import { faultOf } from '../../support/fault-of.ts';
import { rowsIn } from '../../support/rows.ts';

const poolSize = 2;

let database: Awaited<ReturnType<typeof testDatabase>>;

beforeAll(async () => {
  database = await testDatabase({ poolSize });
});
afterAll(() => database.close());

const person = () => {
  const id = crypto.randomUUID();
  return { id, email: `${id}@transaction.example` };
};
const stored = async (id: string) => (await database.prisma.user.count({ where: { id } })) === 1;

describe('a transaction', () => {
  it('a transaction stores all of its changes or none', async () => {
    const [committed, rolledBack] = [person(), person()];
    await database.prisma.$transaction((tx) => tx.user.create({ data: committed }));
    const failing = database.prisma.$transaction(async (tx) => {
      await tx.user.create({ data: rolledBack });
      throw new Error('changed our mind');
    });
    await expect(failing).rejects.toThrow('changed our mind');
    expect([await stored(committed.id), await stored(rolledBack.id)]).toEqual([true, false]);
  });

  it('a transaction whose COMMIT fails rejects, and its connection serves the next one', async () => {
    for (let round = 0; round < poolSize + 2; round += 1) {
      const data = { id: crypto.randomUUID(), slug: crypto.randomUUID(), name: 'Without a team' };
      await expect(
        database.prisma.$transaction((tx) => tx.organization.create({ data })),
      ).rejects.toThrow();
      expect(await database.prisma.organization.count({ where: { id: data.id } })).toBe(0);
    }
  });

  it('a transaction that ignored a failed statement rejects at COMMIT', async () => {
    const [first, existing] = [person(), await rowsIn(database).user()];
    const transaction = database.prisma.$transaction(async (tx) => {
      await tx.user.create({ data: first });
      await faultOf(tx.user.create({ data: { ...person(), email: existing.email } }));
    });
    await expect(transaction).rejects.toThrow('can not be committed');
    expect(await stored(first.id)).toBe(false);
    expect(await database.sql`select 1 as alive`).toEqual([{ alive: 1 }]);
  });

  it.each(['ReadCommitted', 'RepeatableRead', 'Serializable'] as const)(
    'a transaction runs at the isolation level %s',
    async (isolationLevel) => {
      const shown = await database.prisma.$transaction(
        (tx) =>
          tx.$queryRaw<
            { level: string }[]
          >`select current_setting('transaction_isolation') as level`,
        {
          isolationLevel,
        },
      );
      expect(shown[0]?.level.replaceAll(' ', '')).toBe(isolationLevel.toLowerCase());
    },
  );

  it('a RepeatableRead transaction sees one consistent state', async () => {
    if (database.kind === 'embedded') return;
    const counts = await database.prisma.$transaction(
      async (tx) => {
        const before = await tx.user.count();
        await rowsIn(database).user();
        return [before, await tx.user.count()];
      },
      { isolationLevel: 'RepeatableRead' },
    );
    expect(counts[1]).toBe(counts[0]);
  });

  // The embedded database has one connection, which the transaction uses, so only `tx` may be used
  // inside.
  it('a transaction that uses the outer client expires on the embedded database, and nothing is stored', async () => {
    if (database.kind === 'postgres') return;
    const data = person();
    const waiting = database.prisma.$transaction(
      async (tx) => {
        await tx.user.create({ data });
        await database.prisma.user.count();
      },
      { timeout: 200 },
    );
    expect(await faultOf(waiting)).toMatchObject({ code: 'P2028' });
    expect(await stored(data.id)).toBe(false);
  });
});

describe('a failed statement', () => {
  it('a failed statement does not close the connection', async () => {
    const sessions = () => database.sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const existing = await rowsIn(database).user();
    const before = await sessions();
    for (let round = 0; round < 5; round += 1) {
      await faultOf(database.prisma.user.create({ data: { ...person(), email: existing.email } }));
      await faultOf(database.sql`select nonsense`);
    }
    expect(await sessions()).toEqual(before);
  });

  it('a failed statement with an unreadable value leaves the connection usable', async () => {
    await faultOf(database.sql`select 9007199254740993::int8 as n, generate_series(1, 1000)`);
    expect(await database.sql`select 1 as alive`).toEqual([{ alive: 1 }]);
  });
});

it('a prepared statement whose result type another process changed works again after one failure', async () => {
  if (database.kind === 'embedded') return;
  const other = await testDatabase({ poolSize: 1 });
  const read = () => other.sql`select * from changing`;
  await other.prisma.$executeRaw`create view changing as select 1 as first`;
  await read();
  await other.prisma.$executeRaw`create or replace view changing as select 1 as first, 2 as second`;
  await faultOf(read());
  expect(await read()).toEqual([{ first: 1, second: 2 }]);
  await other.close();
});

describe('sessions', () => {
  it('sessions are in UTC, so that Prisma and SQL read the same timestamps', async () => {
    expect(
      await database.sql`select current_setting('TimeZone') as zone, current_setting('DateStyle') as style`,
    ).toEqual([{ zone: 'UTC', style: 'ISO, MDY' }]);
  });
});

describe('ping', () => {
  it('ping resolves while the database answers, and rejects once it is closed', async () => {
    const other = await testDatabase();
    await expect(other.ping()).resolves.toBeUndefined();
    await other.close();
    await expect(other.ping()).rejects.toThrow();
  });

  it('ping rejects as unavailable if no connection answers in time', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: busy, resolve: hold } = Promise.withResolvers<void>();
    const other = await testDatabase({ poolSize: 1 });
    const holder = other.prisma.$transaction(async (tx) => {
      await tx.user.count();
      hold();
      await released;
    });
    await busy;
    expect(isUnavailable(await faultOf(other.ping()))).toBe(true);
    release();
    await holder;
    await other.close();
  });
});

it('closing a database twice closes it once', async () => {
  const other = await testDatabase();
  await Promise.all([other.close(), other.close()]);
});
