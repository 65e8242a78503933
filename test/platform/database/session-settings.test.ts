import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { serverUrl } from '../../support/database.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { withClient } from '../../support/with-client.ts';

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
      const database = await openDatabase({ databaseUrl: url, dataDir: ':memory:', log: quietLog });
      const values = database.sql`
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
      await database.close();
    } finally {
      await server.close();
    }
  },
);
