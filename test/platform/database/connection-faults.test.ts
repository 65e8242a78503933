import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { serverUrl } from '../../support/database.ts';
import { freePort } from '../../support/process.ts';

const open = (databaseUrl: string) =>
  openDatabase({
    databaseUrl,
    dataDir: ':memory:',
    log: { info: () => undefined, warn: () => undefined },
  });

describe('a DATABASE_URL that cannot be opened', () => {
  it('a server that cannot be reached is named by the setting', async () => {
    const port = await freePort();
    await expect(open(`postgres://atrium@127.0.0.1:${port}/atrium`)).rejects.toThrow(
      `DATABASE_URL: the server cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  it.skipIf(!serverUrl)('a database that does not exist is named by the setting', async () => {
    const address = new URL(serverUrl ?? '');
    address.pathname = '/atrium_that_does_not_exist';
    await expect(open(address.href)).rejects.toThrow(
      'DATABASE_URL: the server refuses the connection: database "atrium_that_does_not_exist" does not exist',
    );
  });
});
