import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { dataDir as emptyDatabase } from '@electric-sql/pglite-prepopulatedfs';
import { Pool } from 'pg';
import { lockDirectory } from './lock.ts';
import { type DatabaseServer, PooledClient, prepareSession } from './pooled-client.ts';
import { unpackTar } from './unpack-tar.ts';

const postgresVersion = '18';
const accessByOthers = 0o077;

/**
 * Postgres inside this process. It never flushes to disk: data survives the end of the process, but
 * not a power failure.
 */
export async function openEmbedded(dataDir: string): Promise<DatabaseServer> {
  if (dataDir === ':memory:') return createEmbeddedServer(await openPglite('memory://'));
  await mkdir(dataDir, { recursive: true });
  const directory = join(dataDir, 'database');
  const unlock = lockDirectory(directory);
  try {
    if (existsSync(directory)) {
      await checkVersion(directory);
      if (((await stat(directory)).mode & accessByOthers) !== 0) await makePrivate(directory);
    } else await createDatabase(directory);
    return createEmbeddedServer(await openPglite(directory), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A database in memory is empty, or has the content of the dump. */
export async function openPglite(directory: string, dump?: Blob): Promise<PGlite> {
  const loadDataDir = directory === 'memory://' ? (dump ?? (await emptyDatabase())) : dump;
  return PGlite.create(directory, { extensions: { pg_trgm }, ...(loadDataDir && { loadDataDir }) });
}

// An empty database is unpacked: PGlite would need 1.1 GB of memory to create one. The directory is
// renamed when it is complete. If the process is killed before that, the next start does not
// mistake the incomplete directory for a database.
async function createDatabase(directory: string): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const archive = await (await emptyDatabase()).arrayBuffer();
  unpackTar(gunzipSync(archive), unfinished);
  await rename(unfinished, directory);
}

/**
 * Earlier versions created files with mode 0666, whatever the umask was. The directory is changed
 * last, so its mode shows that all files are done.
 */
async function makePrivate(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries)
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  await chmod(directory, 0o700);
}

async function checkVersion(directory: string): Promise<void> {
  const version =
    existsSync(join(directory, 'PG_VERSION')) &&
    (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  if (version === postgresVersion) return;
  throw new Error(
    version === false
      ? `${directory} is not a database. Move it away to begin with an empty one, or set DATA_DIR to another place.`
      : `The embedded database in ${directory} was written by Postgres ${version}, and this version of Atrium has Postgres ${postgresVersion}. ` +
          'Start the version of Atrium that wrote it and copy its data with pg_dump, or move the directory away to begin with an empty one.',
  );
}

export function createEmbeddedServer(
  pglite: PGlite,
  onClose: () => void = () => {},
): DatabaseServer {
  return {
    kind: 'embedded',
    openPool: () =>
      new Pool({
        ...bridgeTo(pglite),
        max: 1,
        idleTimeoutMillis: 0,
        Client: EmbeddedClient,
        onConnect: prepareSession,
      }),
    requireSession: async () => undefined,
    async close() {
      await pglite.close();
      onClose();
    },
  };
}

function bridgeTo(pglite: PGlite) {
  const config = createPgConfig(pglite);
  const { connection } = config;
  const parse = connection.parse.bind(connection);
  // adapter-pg passes type parsers, which the bridge would interpret as a list of parameter types.
  connection.parse = ({ text, name }) => parse({ text, name });
  // The bridge has a method for each kind of message, and the pipelines of the driver are several
  // messages at once.
  const write = (messages: Uint8Array) =>
    pglite.execProtocolStream(messages, { throwOnError: false }).then(
      (answers) => {
        for (const answer of answers)
          connection.emit(answer.name === 'error' ? 'errorMessage' : answer.name, answer);
      },
      (error: unknown) => connection.emit('error', error),
    );
  Object.assign(connection.stream, { write });
  return config;
}

/** The embedded database has only one connection, which survives every error. */
class EmbeddedClient extends PooledClient {
  protected override survives(): boolean {
    return true;
  }
}
