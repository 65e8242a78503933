import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProcessDirectory } from '../../src/platform/process-directory.ts';
import { temporaryDirectory } from '../support/process.ts';

const script = fileURLToPath(new URL('../support/directory-process.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;

let directory: ReturnType<typeof temporaryDirectory>;
let stops: (() => Promise<void>)[];
beforeEach(() => {
  directory = temporaryDirectory();
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) await stop();
  directory.remove();
});

/** A process with its directory, in the namespace of process ids that `command` makes. */
async function directoryOfOtherProcess(...command: string[]) {
  const [program = '', ...args] = [...command, process.execPath, script, directory.path];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  stops.push(stop);
  const [output]: Buffer[] = await once(child.stdout, 'data');
  const path = String(output).trim();
  writeFileSync(join(path, 'file'), 'content');
  return { path, stop };
}

describe('the directory of a process', () => {
  it('has an absolute path, because readers have another working directory', async () => {
    const { path, close } = await openProcessDirectory(relative('', directory.path));
    expect(isAbsolute(path)).toBe(true);
    await close();
  });

  it('a start removes the directories of ended processes and none of running ones', async () => {
    const killed = await directoryOfOtherProcess();
    await killed.stop();
    const running = await directoryOfOtherProcess();
    const own = await openProcessDirectory(directory.path);
    expect(existsSync(killed.path)).toBe(false);
    expect(existsSync(join(running.path, 'file'))).toBe(true);
    await own.close();
    await running.stop();
    await (await openProcessDirectory(directory.path)).close();
    expect(readdirSync(directory.path)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux' || !isRoot)(
    'processes of two containers with one process id leave each other’s directory alone',
    async () => {
      const container = ['unshare', '--pid', '--fork', '--kill-child'];
      const first = await directoryOfOtherProcess(...container);
      const second = await directoryOfOtherProcess(...container);
      expect(second.path).not.toBe(first.path);
      expect(existsSync(join(first.path, 'file'))).toBe(true);
    },
  );

  it('a start leaves alone what no process has made for itself', async () => {
    mkdirSync(join(directory.path, 'photos'));
    await (await openProcessDirectory(directory.path)).close();
    expect(readdirSync(directory.path)).toEqual(['photos']);
  });
});
