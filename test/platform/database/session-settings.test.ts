import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { withClient } from '../../support/with-client.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('No statement is compiled by Postgres, and times are in UTC', async () => {
  const settings = await database.sql<{ jit: string; zone: string }>`
    select current_setting('jit') as jit, current_setting('TimeZone') as zone`;
  expect(settings).toEqual([{ jit: 'off', zone: 'UTC' }]);
});

const defaults = {
  timezone: 'Asia/Kolkata',
  datestyle: 'SQL, DMY',
  extra_float_digits: '-3',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
};

it.skipIf(!serverUrl)(
  'A session does not depend on what the administrator of the database has chosen as defaults',
  async () => {
    const { server, url } = await emptyDatabase(serverUrl ?? '');
    const name = new URL(url).pathname.slice(1);
    await withClient(url, async (client) => {
      for (const [setting, value] of Object.entries(defaults))
        await client.query(
          `alter database ${name} set ${setting} = ${client.escapeLiteral(value)}`,
        );
    });
    try {
      const opened = await openDatabase({ databaseUrl: url, dataDir: ':memory:', log: quietLog });
      const values = opened.sql`
        select '2026-03-01T12:00:00Z'::timestamptz::text as time, (0.1::float8 + 0.2::float8)::text as number,
          length('a\\b') as length, current_setting('transaction_isolation') as isolation`;
      expect(await values).toEqual([
        {
          time: '2026-03-01 12:00:00+00',
          number: '0.30000000000000004',
          length: 3,
          isolation: 'read committed',
        },
      ]);
      await opened.close();
    } finally {
      await server.close();
    }
  },
);
