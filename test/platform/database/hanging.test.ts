import { afterAll, expect, it } from 'vitest';
import { databaseOn } from '../../../src/platform/database/database.ts';
import { isUnavailable } from '../../../src/platform/database/faults.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { serverUrl } from '../../support/database.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { wayTo } from '../../support/way-to.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

it.skipIf(!serverUrl)(
  'a server that keeps its connections and answers nothing is known to be away, and found again right after',
  async () => {
    const way = await wayTo(serverUrl ?? '');
    closing.push(way.close);
    const database = databaseOn(openPostgres({ databaseUrl: way.url, log: quietLog }), {
      poolSize: 2,
      log: quietLog,
    });
    closing.push(database.close);
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
    way.hold();
    const asked = [
      database.sql`select 1`,
      database.prisma.$queryRaw`select 1`,
      database.prisma.$transaction((tx) => tx.$queryRaw`select 1`),
      database.ping(),
    ];
    const faults = (await Promise.allSettled(asked)).map((settled) =>
      settled.status === 'rejected'
        ? isUnavailable(settled.reason) || settled.reason
        : settled.value,
    );
    expect(faults).toEqual([true, true, true, true]);
    way.letGo();
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(await database.prisma.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
  },
);
