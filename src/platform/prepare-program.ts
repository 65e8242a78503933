import { accessSync, chmodSync, constants, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { disablePretenuring } from './allocation-settings.ts';
import { type Env, readEnv } from './env.ts';
import { makeDirectory } from './make-directory.ts';

const groupWrite = 0o020;
const othersWrite = 0o002;
const ownerOnly = 0o700;
const rootId = 0;

/**
 * Every program calls this first. Files that the program writes, and its data directory, are
 * readable only by its own user.
 */
export function prepareProgram(): Env {
  process.umask(0o077);
  disablePretenuring();
  const env = readEnv();
  if (env.DATA_DIR !== ':memory:') makePrivate(env.DATA_DIR);
  return env;
}

/**
 * Creates the data directory with mode 0700. An existing directory of this user gets that mode. A
 * directory of another user, such as a mounted volume, is rejected if users other than the
 * process's own group may write to it, because they could replace the database.
 */
function makePrivate(directory: string): void {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `DATA_DIR: ${directory} is not a directory that this user can create or write to (${error instanceof Error && 'code' in error ? error.code : error}). Set DATA_DIR to one that is.`,
      { cause: error },
    );
  }
  // Windows has neither user ids nor modes.
  const userId = process.getuid?.();
  if (userId === undefined) return;
  const { mode, uid, gid } = statSync(directory);
  if (uid === userId) {
    chmodSync(directory, ownerOnly);
    requireOwnEntries(directory, userId);
    return;
  }
  const writableByGroup = (mode & groupWrite) !== 0 && gid !== process.getgid?.();
  if (!writableByGroup && (mode & othersWrite) === 0) return;
  throw new Error(
    `Other users may write to ${directory} (DATA_DIR). Run: chmod go-w ${directory}, or set DATA_DIR to a directory of this user.`,
  );
}

/**
 * While others could write to the directory, they could have placed something in it before its
 * first use, for example an `auth-secret` that they know.
 */
function requireOwnEntries(directory: string, userId: number): void {
  const foreign = readdirSync(directory).filter((name) => {
    const owner = lstatSync(join(directory, name), { throwIfNoEntry: false })?.uid;
    return owner !== undefined && owner !== userId && owner !== rootId;
  });
  if (foreign.length === 0) return;
  throw new Error(
    `${directory} (DATA_DIR) belongs to this user, but these entries belong to other users: ${foreign.join(', ')}. Move them away, or if you placed them there, run: chown -hR ${userId} ${directory}`,
  );
}
