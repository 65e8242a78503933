import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '../../../src/platform/database/lock.ts';
import { run, temporaryDirectory } from '../../support/process.ts';

const script = relative(
  '.',
  fileURLToPath(new URL('../../support/lock-taker.ts', import.meta.url)),
);

let parent: ReturnType<typeof temporaryDirectory>;
let directory: string;
let takers: ReturnType<typeof run>[];

beforeEach(() => {
  parent = temporaryDirectory();
  directory = `${parent.path}/database`;
  takers = [];
});
afterEach(async () => {
  for (const { child } of takers) child.kill('SIGKILL');
  await Promise.all(takers.map(({ ended }) => ended));
  parent.remove();
});

/** Another process that tries to take the lock, and what it says of that. */
async function taker() {
  const running = run(script, {}, [directory]);
  takers.push(running);
  await new Promise((resolve) => running.child.stdout.once('data', resolve));
  return { ...running, said: running.stdout().trim() };
}

describe('the lock of a directory', () => {
  it('keeps a second process out and names the first', async () => {
    const first = await taker();
    expect(first.said).toBe('locked');
    expect((await taker()).said).toContain(`${directory} is in use by process ${first.child.pid}.`);
    expect(() => lockDirectory(directory)).toThrow(`process ${first.child.pid}`);
  });

  it('keeps the same process out as well', () => {
    const unlock = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(`process ${process.pid}`);
    unlock();
    lockDirectory(directory)();
  });

  it('is not robbed by whoever removes the note of its holder', async () => {
    await taker();
    rmSync(`${directory}.pid`);
    expect(() => lockDirectory(directory)).toThrow('is in use by a process');
  });

  it('of a killed process is taken over, whatever process has its id by now', async () => {
    const first = await taker();
    first.child.kill('SIGKILL');
    await first.ended;
    lockDirectory(directory)();
  });

  it('of a killed process goes to exactly one of several that ask at once', async () => {
    const first = await taker();
    first.child.kill('SIGKILL');
    await first.ended;
    const said = (await Promise.all([taker(), taker(), taker(), taker()])).map((one) => one.said);
    expect(said.filter((words) => words === 'locked')).toHaveLength(1);
    expect(said.filter((words) => words.includes('is in use by'))).toHaveLength(3);
  });
});
