import type { Client } from 'pg';

/** `hnsw.iterative_scan` exists since this version. */
const oldestVersion = [0, 8];

/** Creates the extension `vector` if it is missing, and returns the name of its schema. */
export async function requireVectorExtension(client: Client): Promise<string> {
  const existing = await findExtension(client);
  if (existing) return existing;
  const { rows } = await client.query<{ database: string; user: string }>(
    'select current_database() as database, current_user as user',
  );
  const { database = '', user = '' } = rows[0] ?? {};
  try {
    await client.query('create extension if not exists vector');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === insufficientPrivilege)
      throw new Error(
        `The database ${database} has no extension "vector", and ${user} may not create it. Run there as a superuser: create extension vector;`,
      );
    if (code === unsupportedFeature || code === undefinedFile)
      throw new Error(
        'This Postgres has no pgvector. Install it on the server (pgvector 0.8 or later, for example the package postgresql-17-pgvector), ' +
          `and run in the database ${database} as a superuser: create extension vector;`,
      );
    throw error;
  }
  const created = await findExtension(client);
  if (!created) throw new Error('The extension "vector" was not created');
  return created;
}

const insufficientPrivilege = '42501';
const unsupportedFeature = '0A000';
const undefinedFile = '58P01';

async function findExtension(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string; schema: string }>(
    `select extversion as version, nspname as schema
     from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
     where extname = 'vector'`,
  );
  const [found] = rows;
  if (!found) return undefined;
  const [major = 0, minor = 0] = found.version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestVersion;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    throw new Error(
      `This database has pgvector ${found.version}; the vector database needs ${oldestVersion.join('.')} or later. Install it on the server, and run as a superuser: alter extension vector update;`,
    );
  return found.schema;
}
