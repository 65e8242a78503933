import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '../../../src/platform/database/lock.ts';
import { run, temporaryDirectory } from '../../support/process.ts';

const script = relative(
  '.',
  fileURLToPath(new URL('../../support/lock-process.ts', import.meta.url)),
);

let parent: ReturnType<typeof temporaryDirectory>;
let directory: string;
let processes: ReturnType<typeof run>[];

beforeEach(() => {
  parent = temporaryDirectory();
  directory = `${parent.path}/database`;
  processes = [];
});
afterEach(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  parent.remove();
});

/** Starts another process that tries to take the lock, and returns what it prints. */
async function lockingProcess() {
  const running = run(script, {}, [directory]);
  processes.push(running);
  await new Promise((resolve) => running.child.stdout.once('data', resolve));
  return { ...running, output: running.stdout().trim() };
}

describe('the lock of a directory', () => {
  it('a locked directory rejects a second process and names the first', async () => {
    const first = await lockingProcess();
    expect(first.output).toBe('locked');
    expect((await lockingProcess()).output).toContain(
      `${directory} is in use by process ${first.child.pid}.`,
    );
    expect(() => lockDirectory(directory)).toThrow(`process ${first.child.pid}`);
  });

  it('a locked directory also rejects the same process', () => {
    const unlock = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(`process ${process.pid}`);
    unlock();
    lockDirectory(directory)();
  });

  it('removing the process id file does not release the lock', async () => {
    await lockingProcess();
    rmSync(`${directory}.pid`);
    expect(() => lockDirectory(directory)).toThrow('is in use by a process');
  });

  it.skipIf(process.platform !== 'linux')(
    'removing the lock file does not release the lock',
    async () => {
      const first = await lockingProcess();
      rmSync(`${directory}.lock`);
      expect((await lockingProcess()).output).toContain(`in use by process ${first.child.pid}.`);
      first.child.kill('SIGKILL');
      await first.ended;
      lockDirectory(directory)();
    },
  );

  it('the lock of a killed process can be taken, whatever process has its id by now', async () => {
    const first = await lockingProcess();
    first.child.kill('SIGKILL');
    await first.ended;
    lockDirectory(directory)();
  });

  it('exactly one of several concurrent processes gets the lock of a killed process', async () => {
    const first = await lockingProcess();
    first.child.kill('SIGKILL');
    await first.ended;
    const output = (
      await Promise.all([lockingProcess(), lockingProcess(), lockingProcess(), lockingProcess()])
    ).map((result) => result.output);
    expect(output.filter((words) => words === 'locked')).toHaveLength(1);
    expect(output.filter((words) => words.includes('is in use by'))).toHaveLength(3);
  });
});
