import { chownSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { openPgliteInThread } from '../../../src/platform/database/pglite.ts';
import { serverUrl } from '../../support/database.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';

const script = relative(
  '.',
  fileURLToPath(new URL('../../support/embedded-writer.ts', import.meta.url)),
);

let directory: ReturnType<typeof temporaryDirectory>;
let dataDir: string;

beforeEach(() => {
  directory = temporaryDirectory();
  dataDir = directory.path;
});
afterEach(() => directory.remove());

const open = () => openDatabase({ dataDir, log: quietLog });

/** Starts a process that opens the database and writes to it until it is killed. */
function writer() {
  const running = run(script, {}, [dataDir]);
  return {
    pid: running.child.pid,
    /**
     * Resolves when the process has printed this many lines. The first line means that the database
     * is open.
     */
    printed: (lines: number) =>
      new Promise<void>((resolve, reject) => {
        running.child.stdout.on('data', () => {
          if (running.stdout().split('\n').length > lines) resolve();
        });
        running.ended.then(() => reject(new Error(running.stderr())), reject);
      }),
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended;
    },
  };
}

describe.skipIf(serverUrl)('the embedded database', () => {
  it('the embedded database keeps its rows across restarts, and creates no other file than its lock', async () => {
    const first = await open();
    await first.prisma.user.create({ data: { id: 'kept', email: 'kept@embedded.example' } });
    await first.close();
    const second = await open();
    expect(await second.prisma.user.count({ where: { id: 'kept' } })).toBe(1);
    await second.close();
    expect(readdirSync(dataDir).toSorted()).toEqual(['database', 'database.lock']);
  });

  it('a statement that takes long does not block the event loop', async () => {
    const database = await open();
    const turns: number[] = [];
    const timer = setInterval(() => turns.push(performance.now()), 1);
    await database.sql`select count(*) from generate_series(1, 1000000)`;
    clearInterval(timer);
    await database.close();
    expect(turns.length).toBeGreaterThan(20);
  });

  it('a failure in the thread of the database is reported', async () => {
    await (await open()).close();
    const failure = Promise.withResolvers<Error>();
    const pglite = await openPgliteInThread(`${dataDir}/database`, failure.resolve);
    // The first message of a connection, with a version of the protocol that does not exist.
    void pglite.execProtocolRaw(Uint8Array.of(0, 0, 0, 8, 0, 99, 0, 0));
    expect((await failure.promise).message).toContain('Program terminated');
  });

  it('a process that has not closed its database can end', async () => {
    const unclosed = relative(
      '.',
      fileURLToPath(new URL('../../support/embedded-unclosed.ts', import.meta.url)),
    );
    expect(await run(unclosed, {}, [dataDir]).ended).toBe(0);
  });

  it('a second process is rejected with the id of the first process and the directory, and the first continues', async () => {
    const first = writer();
    await first.printed(1);
    await expect(open()).rejects.toThrow(`${dataDir}/database is in use by process ${first.pid}.`);
    await first.printed(3);
    await first.kill();
  });

  it('a process whose database fails ends with a message, and the next start has everything that was committed', async () => {
    const first = await open();
    await first.prisma.user.create({ data: { id: 'kept', email: 'kept@embedded.example' } });
    await first.close();
    const running = run(script, {}, [dataDir, 'checkpoints']);
    await new Promise((resolve) => running.child.stdout.once('data', resolve));
    // A checkpoint writes a file of this name.
    const obstacle = `${dataDir}/database/pg_logical/replorigin_checkpoint.tmp`;
    mkdirSync(obstacle);
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toContain(
      `The embedded database in ${dataDir}/database has failed, and Atrium ends: could not remove file`,
    );
    rmdirSync(obstacle);
    const second = await open();
    expect(await second.prisma.user.count({ where: { id: 'kept' } })).toBe(1);
    await second.close();
  });

  it('an incomplete copy of a database is refused with a message that says what to do', async () => {
    await (await open()).close();
    rmSync(`${dataDir}/database/global/pg_control`);
    await expect(open()).rejects.toThrow(
      /database cannot be opened \(.+\)\. It may be damaged, or an incomplete copy: restore a backup/,
    );
  });

  it.skipIf(process.getuid?.() !== 0)(
    'a database with a file of another user is refused with a message that names the file',
    async () => {
      await (await open()).close();
      rmSync(`${dataDir}/database/global/pg_control`);
      chownSync(`${dataDir}/database/pg_logical/replorigin_checkpoint`, 65_534, 65_534);
      await expect(open()).rejects.toThrow(
        /pg_logical\/replorigin_checkpoint belongs to another user.+ Run: chown -R 0 /,
      );
    },
  );

  it('a directory of another Postgres version is left unchanged, and the message explains what to do', async () => {
    mkdirSync(`${dataDir}/database`);
    writeFileSync(`${dataDir}/database/PG_VERSION`, '17\n');
    await expect(open()).rejects.toThrow(/written by Postgres 17.*has Postgres 18.*pg_dump/);
    expect(readdirSync(`${dataDir}/database`)).toEqual(['PG_VERSION']);
  });

  it('a directory with other content is left unchanged', async () => {
    mkdirSync(`${dataDir}/database`);
    writeFileSync(`${dataDir}/database/letter.txt`, 'mine');
    await expect(open()).rejects.toThrow('is not a database. Move it away');
    expect(readdirSync(`${dataDir}/database`)).toEqual(['letter.txt']);
  });

  it('a failed attempt to open the database releases the lock', async () => {
    mkdirSync(`${dataDir}/database`);
    await expect(open()).rejects.toThrow('is not a database');
    await expect(open()).rejects.toThrow('is not a database');
  });
});
