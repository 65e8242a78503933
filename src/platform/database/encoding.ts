import type { ClientBase } from 'pg';
import type { Database } from './database.ts';
import type { DatabaseLog } from './database-log.ts';

const utf8 = 'UTF8';
const example = "create database atrium encoding 'UTF8' locale 'C.UTF-8' template template0;";

/**
 * Throws unless a database stores texts as UTF-8. A server that was set up without a locale creates
 * databases with the encoding SQL_ASCII, which compares and counts bytes; LATIN1 and others cannot
 * store every text.
 */
export async function requireUtf8(connection: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await connection.query<{ name: string; encoding: string }>(
    `select current_database() as name, current_setting('server_encoding') as encoding`,
  );
  const { name = '', encoding = '' } = rows[0] ?? {};
  if (encoding !== utf8)
    throw new Error(
      `The database ${name} has the encoding ${encoding}, and Atrium needs ${utf8}. Create one, for example: ${example}`,
    );
}

/**
 * Warns if an existing database has another encoding, or if its locale changes the case of ASCII
 * letters only.
 */
export async function warnOfEncoding(
  { sql }: Pick<Database, 'sql'>,
  log: DatabaseLog,
): Promise<void> {
  const [database] = await sql<{ encoding: string; lowersLetters: boolean }>`
    select current_setting('server_encoding') as encoding, lower('Ё') = 'ё' as "lowersLetters"`;
  if (!database) return;
  const { encoding, lowersLetters } = database;
  if (encoding !== utf8)
    log.warn(
      { encoding },
      `The encoding of the database is not ${utf8}: names are not found without their accents, and lengths are counted in bytes. Copy it with pg_dump to a new one, for example: ${example}`,
    );
  else if (!lowersLetters)
    log.warn(
      {},
      `The locale of the database knows upper and lower case of ASCII letters only: a search for “ёлка” does not find “Ёлка”. Copy it with pg_dump to a new one, for example: ${example}`,
    );
}
