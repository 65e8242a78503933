import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkViolation,
  foreignKeyViolation,
  isRetryable,
  isUnavailable,
  uniqueViolation,
} from '../../../src/platform/database/faults.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { faultOf } from '../../support/fault-of.ts';
import { proxyTo } from '../../support/proxy-to.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { rowsIn } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let rows: ReturnType<typeof rowsIn>;

beforeAll(async () => {
  database = await testDatabase({ poolSize: 2 });
  rows = rowsIn(database);
});
afterAll(() => database.close());

describe('a unique violation', () => {
  it('the unique violation of an email address is recognized from Prisma, raw Prisma and SQL', async () => {
    const { email } = await rows.user();
    const { prisma, sql } = database;
    const faults = [
      await faultOf(prisma.user.create({ data: { id: 'again', email } })),
      await faultOf(prisma.user.createMany({ data: [{ id: 'again', email }] })),
      await faultOf(prisma.$executeRaw`insert into users (id, email) values ('again', ${email})`),
      await faultOf(prisma.$transaction((tx) => tx.user.create({ data: { id: 'again', email } }))),
      await faultOf(sql`insert into users (id, email) values ('again', ${email})`),
    ];
    expect(faults.map(uniqueViolation)).toEqual(
      faults.map(() => ({ constraint: 'users_email_key' })),
    );
  });

  it('the unique violation of a team name includes the name of its constraint', async () => {
    const { id } = await rows.organization();
    await rows.team(id, 'twice');
    expect(uniqueViolation(await faultOf(rows.team(id, 'twice')))).toEqual({
      constraint: 'teams_organization_id_name_key_key',
    });
  });

  it('a unique violation is not mistaken for another kind of fault', async () => {
    const fault = await faultOf(
      database.prisma.user.create({ data: { id: 'x', email: (await rows.user()).email } }),
    );
    expect([
      checkViolation(fault),
      foreignKeyViolation(fault),
      isRetryable(fault),
      isUnavailable(fault),
    ]).toEqual([undefined, undefined, false, false]);
  });
});

describe('a check violation', () => {
  it('a check violation includes the name of the trigger that protects the default team', async () => {
    const { defaultTeamId } = await rows.organization();
    expect(
      checkViolation(await faultOf(database.prisma.team.delete({ where: { id: defaultTeamId } }))),
    ).toEqual({ constraint: 'teams_default_stays' });
  });

  it('a check violation includes the name of a rule that is only checked at COMMIT', async () => {
    const create = database.prisma.$transaction((tx) =>
      tx.organization.create({ data: { id: 'bare', slug: 'bare', name: 'Bare' } }),
    );
    expect(checkViolation(await faultOf(create))).toEqual({
      constraint: 'organizations_default_team',
    });
  });

  it('a check violation includes the name of the trigger that makes the audit log append-only', async () => {
    const { id } = await rows.organization();
    await rows.auditEntry(id);
    expect(checkViolation(await faultOf(database.prisma.auditEntry.deleteMany()))).toEqual({
      constraint: 'audit_entries_append_only',
    });
  });

  it('a check violation includes the name of a CHECK constraint', async () => {
    const { id } = await rows.organization();
    const spoil = database.prisma.organization.update({
      where: { id },
      data: { slug: 'Not A Slug' },
    });
    expect(checkViolation(await faultOf(spoil))).toEqual({
      constraint: 'organizations_slug_shape',
    });
  });
});

it('a foreign key violation includes the name of its constraint', async () => {
  expect(foreignKeyViolation(await faultOf(rows.team('nowhere')))).toEqual({
    constraint: 'teams_organization_id_fkey',
  });
});

it.skipIf(!serverUrl)(
  'one of two transactions that cannot both be serialized is retryable',
  async () => {
    const { promise: bothHaveRead, resolve } = Promise.withResolvers<void>();
    let readers = 0;
    const countAndAdd = () =>
      database.prisma.$transaction(
        async (tx) => {
          await tx.user.count();
          readers += 1;
          if (readers === 2) resolve();
          await bothHaveRead;
          await tx.user.create({
            data: { id: crypto.randomUUID(), email: `${crypto.randomUUID()}@serial.example` },
          });
        },
        { isolationLevel: 'Serializable' },
      );
    const outcomes = await Promise.allSettled([countAndAdd(), countAndAdd()]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => isRetryable(reason))).toEqual([true]);
  },
);

it('a transaction that meets the changes of others several times in a row succeeds', async () => {
  let attempts = 0;
  const result = await inTransaction(database, async (tx) => {
    attempts += 1;
    if (attempts <= 6)
      await tx.sql`do $$ begin raise exception 'changed' using errcode = '40001'; end $$`;
    return 'done';
  });
  expect([result, attempts]).toEqual(['done', 7]);
});

describe('an unreachable database', () => {
  it.each(['postgres://nobody@127.0.0.1:1/nothing', 'postgres://nobody@name.invalid/nothing'])(
    'a server that cannot be reached at %s is reported as unavailable',
    async (databaseUrl) => {
      expect(
        isUnavailable(await faultOf(openDatabase({ databaseUrl, dataDir: '', log: quietLog }))),
      ).toBe(true);
    },
  );

  it.skipIf(!serverUrl)(
    'a program that starts before its database waits for it, and reports an error that waiting cannot fix at once',
    async () => {
      const { url = '', close } = await testDatabase({ poolSize: 1 });
      const proxy = await proxyTo(url);
      proxy.refuse();
      let warnings = 0;
      const log = {
        ...quietLog,
        warn() {
          warnings += 1;
          if (warnings === 2) proxy.accept();
        },
      };
      const reachable = await openDatabase({
        databaseUrl: proxy.url,
        dataDir: '',
        waitsForServer: true,
        log,
      });
      expect(await reachable.prisma.user.count()).toBe(0);
      await reachable.close();
      expect(warnings).toBe(2);
      const nowhere = Object.assign(new URL(url), { pathname: '/nowhere' }).href;
      expect(
        await faultOf(
          openDatabase({ databaseUrl: nowhere, dataDir: '', waitsForServer: true, log }),
        ),
      ).toMatchObject({ code: '3D000' });
      expect(warnings).toBe(2);
      proxy.close();
      await close();
    },
  );

  it.skipIf(!serverUrl)(
    'a server that closes our connections is reported as unavailable, and the next query succeeds',
    async () => {
      const other = await testDatabase({ poolSize: 2 });
      const endOwnConnection = other.sql`select pg_terminate_backend(pg_backend_pid())`;
      expect(isUnavailable(await faultOf(endOwnConnection))).toBe(true);
      const inTransaction = other.prisma.$transaction(async (tx) => {
        await faultOf(tx.$queryRaw`select pg_terminate_backend(pg_backend_pid())`);
        await tx.user.count();
      });
      expect(isUnavailable(await faultOf(inTransaction))).toBe(true);
      expect(await other.prisma.user.count()).toBe(0);
      await other.close();
    },
  );

  it('a server without free disk space or memory is reported as unavailable', async () => {
    for (const code of ['53100', '53200']) {
      const faults = [
        await faultOf(
          database.prisma.$executeRawUnsafe(
            `do $$ begin raise exception 'no room' using errcode = '${code}'; end $$`,
          ),
        ),
        await faultOf(
          database.prisma.$transaction((tx) =>
            tx.$executeRawUnsafe(
              `do $$ begin raise exception 'no room' using errcode = '${code}'; end $$`,
            ),
          ),
        ),
      ];
      expect(faults.map(isUnavailable)).toEqual([true, true]);
    }
  });

  it('a transaction that exceeds its time limit is reported as unavailable, and nothing of it is written', async () => {
    const slow = (work: (tx: Pick<typeof database.prisma, 'user'>) => Promise<unknown>) => {
      const late = database.prisma.$transaction(
        async (tx) => {
          await work(tx);
          await pause(60);
          await tx.user.count();
        },
        { timeout: 20 },
      );
      return faultOf(late);
    };
    const { email } = await rows.user();
    expect(
      isUnavailable(
        await slow((tx) => tx.user.update({ where: { email }, data: { firstName: 'Late' } })),
      ),
    ).toBe(true);
    expect(
      isUnavailable(
        await faultOf(database.prisma.$transaction(async () => pause(60), { timeout: 20 })),
      ),
    ).toBe(true);
    expect(await database.prisma.user.findUniqueOrThrow({ where: { email } })).not.toMatchObject({
      firstName: 'Late',
    });
  });

  it('a transaction that gets no connection in time is reported as unavailable', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: allConnectionsUsed, resolve: signalAllUsed } = Promise.withResolvers<void>();
    let waiting = 2;
    const hold = () =>
      database.prisma.$transaction(async (tx) => {
        await tx.$queryRaw`select 1`;
        waiting -= 1;
        if (waiting === 0 || database.kind === 'embedded') signalAllUsed();
        await released;
      });
    const holders = database.kind === 'embedded' ? [hold()] : [hold(), hold()];
    await allConnectionsUsed;
    const late = database.prisma.$transaction(async (tx) => tx.user.count(), { maxWait: 50 });
    expect(isUnavailable(await faultOf(late))).toBe(true);
    release();
    await Promise.all(holders);
  });
});

it('an error of the application is not recognized as a database fault', () => {
  for (const fault of [
    new Error('Conflict'),
    Object.assign(new Error('ours'), { code: 'CONFLICT' }),
    'text',
    null,
    undefined,
    { code: 23505 },
  ]) {
    expect([
      uniqueViolation(fault),
      checkViolation(fault),
      foreignKeyViolation(fault),
      isRetryable(fault),
      isUnavailable(fault),
    ]).toEqual([undefined, undefined, undefined, false, false]);
  }
});
