import { describe, expect, it, onTestFinished } from 'vitest';
import { warnOfEncoding } from '../../../src/platform/database/encoding.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { serverUrl } from '../../support/database.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { withClient } from '../../support/with-client.ts';

async function databaseWith(options: string): Promise<string> {
  const { server, url } = await emptyDatabase(serverUrl ?? '', 'template0', options);
  onTestFinished(server.close);
  return url;
}
const open = (databaseUrl: string) =>
  openDatabase({ databaseUrl, dataDir: ':memory:', log: quietLog });

async function warningsOf(databaseUrl: string): Promise<string[]> {
  const database = await open(databaseUrl);
  const warnings: string[] = [];
  await warnOfEncoding(database, {
    ...quietLog,
    warn: (_, message) => void warnings.push(message),
  });
  await database.close();
  return warnings;
}

describe.skipIf(!serverUrl)('the encoding of a database', () => {
  it.each(['SQL_ASCII', 'LATIN1'])(
    'A new database with the encoding %s is refused before anything is created in it',
    async (encoding) => {
      const url = await databaseWith(`encoding '${encoding}' locale 'C'`);
      await expect(open(url)).rejects.toThrow(
        `has the encoding ${encoding}, and Atrium needs UTF8. Create one, for example: create database atrium encoding 'UTF8' locale 'C.UTF-8' template template0;`,
      );
      const { rows } = await withClient(url, (client) =>
        client.query(`select from pg_tables where schemaname = 'public'`),
      );
      expect(rows).toEqual([]);
    },
  );

  it('An existing database with another encoding still opens, with a warning', async () => {
    const url = await databaseWith(`encoding 'SQL_ASCII' locale 'C'`);
    await withClient(url, (client) =>
      client.query(`create table _prisma_migrations (
        id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
        migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
        started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`),
    );
    expect(await warningsOf(url)).toEqual([
      expect.stringContaining('The encoding of the database is not UTF8'),
    ]);
  });

  it('The locale C is reported with a warning, and C.UTF-8 is not', async () => {
    expect(await warningsOf(await databaseWith(`encoding 'UTF8' locale 'C'`))).toEqual([
      expect.stringContaining('upper and lower case of ASCII letters only'),
    ]);
    expect(await warningsOf(await databaseWith(`encoding 'UTF8' locale 'C.UTF-8'`))).toEqual([]);
  });
});
