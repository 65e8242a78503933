import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePorts, run, start, temporaryDirectory } from '../support/process.ts';

const directories: { remove(): void }[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove();
});

function dataDirectory(mode: number, owner?: number): string {
  const parent = temporaryDirectory();
  directories.push(parent);
  const path = join(parent.path, 'data');
  mkdirSync(path);
  chmodSync(path, mode);
  if (owner !== undefined) chownSync(path, owner, owner);
  return path;
}

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stderr.write('Left out: data directories of other users, for only root can make them.\n');

describe('the data directory', () => {
  it('a data directory of this user gets mode 0700', async () => {
    const path = dataDirectory(0o777);
    const program = await start({ DATA_DIR: path }, ['vector-db']).catch((error: Error) => error);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    if (!(program instanceof Error)) {
      program.process.kill('SIGKILL');
      await program.ended;
    }
  });

  it.skipIf(!isRoot)(
    'a data directory of another user that everybody may write to stops the start',
    async () => {
      const path = dataDirectory(0o777, 65_534);
      const { ended, stderr } = run('src/main.ts', { ...freePorts, DATA_DIR: path });
      expect(await ended).toBe(1);
      expect(stderr()).toContain(
        `Other users may write to ${path} (DATA_DIR). Run: chmod go-w ${path}`,
      );
    },
  );
});
