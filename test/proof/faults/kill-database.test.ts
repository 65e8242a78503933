import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { rounds as kills } from '../../support/rounds.ts';

let directory: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

const open = () => openDatabase({ dataDir: directory.path, log: quietLog });

/** Starts a process that opens the database and writes to it until it is killed. */
function writer() {
  const running = run('test/support/embedded-writer.ts', {}, [directory.path]);
  return {
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
    /**
     * Kills the process as the out-of-memory killer does; returns the ids of the rows that the
     * database had confirmed.
     */
    async kill(): Promise<string[]> {
      running.child.kill('SIGKILL');
      await running.ended;
      return running.stdout().split('\n').slice(1, -1);
    },
  };
}

it(`Every row that the embedded database confirmed is stored after ${kills} kills`, {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const process = writer();
    await process.printed(20 + Math.floor(Math.random() * 50));
    acknowledged.push(...(await process.kill()));
  }
  const database = await open();
  const stored = new Set(
    (await database.sql<{ id: string }>`select id from users`).map(({ id }) => id),
  );
  expect(acknowledged.length).toBeGreaterThan(kills);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  await database.close();
});

it(`The embedded database opens after ${kills} kills at any moment of its first start`, {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  for (let round = 0; round < kills; round += 1) {
    const process = writer();
    await wait(Math.random() * 4_000);
    await process.kill();
  }
  const database = await open();
  await database.prisma.user.count();
  await database.close();
});
