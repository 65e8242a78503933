import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePorts, run, serverProgram, start, temporaryDirectory } from '../support/process.ts';

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
      const { ended, stderr } = run(serverProgram(), { ...freePorts, DATA_DIR: path });
      expect(await ended).toBe(1);
      expect(stderr()).toContain(
        `Other users may write to ${path} (DATA_DIR). Run: chmod go-w ${path}`,
      );
    },
  );

  it.skipIf(!isRoot)(
    'a data directory of this user in which another user has placed a secret stops the start',
    async () => {
      const path = dataDirectory(0o777);
      writeFileSync(join(path, 'auth-secret'), 'x'.repeat(43));
      chownSync(join(path, 'auth-secret'), 65_534, 65_534);
      const { ended, stderr } = run('src/main.ts', { ...freePorts, DATA_DIR: path });
      expect(await ended).toBe(1);
      expect(stderr()).toContain('these entries belong to other users: auth-secret.');
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'a data directory below /proc, where nothing can be created, stops the start',
    async () => {
      const { ended, stderr } = run('src/main.ts', { ...freePorts, DATA_DIR: '/proc/atrium/data' });
      expect(await ended).toBe(1);
      expect(stderr()).toContain(
        'DATA_DIR: /proc/atrium/data is not a directory that this user can create',
      );
    },
  );

  it('temporary files of a server in memory are in directories with random names, and are removed at its end', async () => {
    const temporary = temporaryDirectory();
    directories.push(temporary);
    const program = await start({
      ...freePorts,
      DATA_DIR: ':memory:',
      NODE_ENV: 'production',
      EMAIL_VERIFICATION: 'off',
      TMPDIR: temporary.path,
    });
    const names = readdirSync(temporary.path);
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/^atrium-(files-)?\w{6}$/);
    expect(readdirSync(temporary.path)).toEqual([]);
  }, 60_000);

  it('compiled code is kept in the data directory, and nothing is left in the directory for temporary files', async () => {
    const path = dataDirectory(0o755);
    const temporary = temporaryDirectory();
    directories.push(temporary);
    const program = await start(
      {
        DATA_DIR: path,
        TMPDIR: temporary.path,
        NODE_COMPILE_CACHE: '',
        VAULT_SECRET: 's'.repeat(16),
      },
      ['vector-db'],
    );
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(existsSync(join(path, 'compiled-code'))).toBe(true);
    expect(readdirSync(temporary.path)).toEqual([]);
  });
});
