import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dataDir as emptyDatabase } from '@electric-sql/pglite-prepopulatedfs';
import { type DatabaseError, Pool } from 'pg';
import { requireAccess } from '../require-access.ts';
import { lockDirectory } from './lock.ts';
import { openPgliteInMemory, openPgliteInThread, type Pglite } from './pglite.ts';
import { PgliteStream } from './pglite-stream.ts';
import { type DatabaseServer, PooledClient, prepareSession } from './pooled-client.ts';
import { unpackTar } from './unpack-tar.ts';

const postgresVersion = '18';
const accessByOthers = 0o077;
const checkpointBytes = 4 * 1024 * 1024;

/**
 * Postgres in this process, on disk in a thread of its own. It never flushes to disk: data survives
 * the end of the process, but not a power failure.
 */
export async function openEmbedded(dataDir: string): Promise<DatabaseServer> {
  if (dataDir === ':memory:') return createEmbeddedServer(await openPgliteInMemory());
  await mkdir(dataDir, { recursive: true });
  const directory = join(dataDir, 'database');
  const unlock = lockDirectory(directory);
  try {
    if (existsSync(directory)) {
      requireAccess(directory);
      await checkVersion(directory);
      if (((await stat(directory)).mode & accessByOthers) !== 0) await makePrivate(directory);
    } else await createDatabase(directory);
    const onPanic = (fault: Error) => endProcess(directory, fault);
    const pglite = await openPgliteInThread(directory, onPanic).catch((error: unknown) =>
      openingFault(directory, error),
    );
    const server = createEmbeddedServer(pglite, { onClose: unlock, onPanic });
    return { ...server, hasSpaceForCheckpoint: () => hasSpaceForCheckpoint(directory) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * After a PANIC the database answers nothing more, so requests would wait in vain. The next start
 * recovers everything that was committed, as after a kill.
 */
function endProcess(directory: string, { message }: Error): void {
  process.stderr.write(
    `The embedded database in ${directory} has failed, and Atrium ends: ${message}. Nothing that was committed is lost. Remove the cause, for example a full disk, and start Atrium again.\n`,
  );
  process.exit(1);
}

async function openingFault(directory: string, error: unknown): Promise<never> {
  throw new Error(
    `The embedded database in ${directory} cannot be opened (${error instanceof Error ? error.message : error}). ${await remedyFor(directory)}`,
    { cause: error },
  );
}

async function remedyFor(directory: string): Promise<string> {
  if (!(await hasSpaceForCheckpoint(directory)))
    return 'Its disk is full: free some space, and start again.';
  const userId = process.getuid?.();
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  for (const name of names) {
    if (userId !== undefined && (await stat(join(directory, name))).uid !== userId)
      return `${name} belongs to another user, perhaps because a command was run as root. Run: chown -R ${userId} ${directory}`;
  }
  return 'It may be damaged, or an incomplete copy: restore a backup to another DATA_DIR.';
}

/** A checkpoint that cannot write is a PANIC. Without one the database still answers. */
async function hasSpaceForCheckpoint(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize >= checkpointBytes;
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

type EmbeddedServerOptions = {
  onClose?: () => void;
  /** The database has failed and answers no further statement. */
  onPanic?: (fault: Error) => void;
};

export function createEmbeddedServer(
  pglite: Pglite,
  { onClose = () => {}, onPanic = () => {} }: EmbeddedServerOptions = {},
): DatabaseServer {
  return {
    kind: 'embedded',
    openPool() {
      const pool = new Pool({
        user: 'postgres',
        database: 'postgres',
        stream: () => new PgliteStream(pglite),
        max: 1,
        idleTimeoutMillis: 0,
        Client: EmbeddedClient,
        onConnect: prepareSession,
      });
      pool.on('connect', (client) => {
        if (!(client instanceof EmbeddedClient)) return;
        client.connection.on('errorMessage', (fault: DatabaseError) => {
          if (fault.severity === 'PANIC') onPanic(fault);
        });
      });
      return pool;
    },
    requireSession: async () => undefined,
    async close() {
      await pglite.close();
      onClose();
    },
  };
}

/** The embedded database has only one connection, which survives every error. */
class EmbeddedClient extends PooledClient {
  protected override survives(): boolean {
    return true;
  }
}
