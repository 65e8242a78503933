import { afterAll, expect, it } from 'vitest';
import { databaseOn } from '../../../src/platform/database/database.ts';
import { isUnavailable } from '../../../src/platform/database/faults.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { serverUrl } from '../../support/database.ts';
import { proxyTo } from '../../support/proxy-to.ts';
import { quietLog } from '../../support/quiet-log.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

it.skipIf(!serverUrl)(
  'a server that keeps its connections open without answering is reported as unavailable, and works again once it answers',
  async () => {
    const proxy = await proxyTo(serverUrl ?? '');
    closing.push(proxy.close);
    const database = databaseOn(openPostgres({ databaseUrl: proxy.url, log: quietLog }), {
      poolSize: 2,
      log: quietLog,
    });
    closing.push(database.close);
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
    proxy.pause();
    const queries = [
      database.sql`select 1`,
      database.prisma.$queryRaw`select 1`,
      database.prisma.$transaction((tx) => tx.$queryRaw`select 1`),
      inTransaction(database, (tx) => tx.sql`select 1`),
      database.ping(),
    ];
    const faults = (await Promise.allSettled(queries)).map((settled) =>
      settled.status === 'rejected'
        ? isUnavailable(settled.reason) || settled.reason
        : settled.value,
    );
    expect(faults).toEqual([true, true, true, true, true]);
    proxy.resume();
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await database.prisma.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await inTransaction(database, (tx) => tx.sql`select 1 as one`)).toEqual([{ one: 1 }]);
  },
);
