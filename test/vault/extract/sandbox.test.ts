import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  readDocument,
  readDocumentText,
  readLimits,
} from '../../../src/vault/extract/read-document.ts';
import { createSandbox } from '../../../src/vault/extract/sandbox.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { createFileReader } from '../../support/read-files.ts';
import { probeSandbox } from '../../support/sandbox-run.ts';

const files = await createFileReader();

/** Returns a function that acquires a process for a document of a tenant. */
async function openSandbox() {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const sandbox = createSandbox({
    directory: join(directory.path, 'readers'),
    heapMegabytesMax: 256,
    processorSecondsMax: 60,
  });
  onTestFinished(sandbox.close);
  const source = await files.sourceOf('Holidays are thirty days a year.');
  return (tenant: string) => sandbox.acquire(source, { tenant });
}

describe('createSandbox', () => {
  it('A reader process has no access to secrets, other files, connections, processes or signals', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const { attempts, connections } = await probeSandbox(directory.path);
    expect(attempts.filter(({ succeeded }) => succeeded)).toEqual([]);
    expect(attempts.length).toBeGreaterThan(15);
    expect(connections).toBe(0);
    expect(existsSync(join(directory.path, 'written'))).toBe(false);
  });

  it('Each document gets its own reader process, which leaves nothing behind', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const readers = join(directory.path, 'readers');
    const sandbox = createSandbox({
      directory: readers,
      heapMegabytesMax: 256,
      processorSecondsMax: 60,
    });
    const source = await files.sourceOf('Holidays are thirty days a year.');
    const pids = new Set<number | undefined>();
    for (let round = 0; round < 3; round += 1) {
      const reader = await sandbox.acquire(source);
      pids.add(reader.process.pid);
      expect(reader.source.path).not.toBe(source.path);
      await reader.terminate();
    }
    expect(pids.size).toBe(3);
    // The directory of the spare process.
    expect(readdirSync(readers)).toHaveLength(1);
    sandbox.close();
    expect(existsSync(readers)).toBe(false);
    expect(existsSync(source.path)).toBe(true);
  });

  it('A tenant that has another document read leaves the spare process to the others', async () => {
    const acquire = await openSandbox();
    // Each process is started after the one before it, so a spare one has the lower number.
    // On a slow machine a start takes so long that it makes its tenant a heavy user.
    await (await acquire('first')).terminate();
    const ofBusy = [await acquire('busy'), await acquire('busy'), await acquire('busy')];
    const ofQuiet = await acquire('quiet');
    const [, ...startedByBusy] = ofBusy.map((reader) => reader.process.pid);
    expect(ofQuiet.process.pid).toBeLessThan(Math.min(...startedByBusy));
    for (const reader of [...ofBusy, ofQuiet]) await reader.terminate();
  });

  // Other systems have no priorities of single threads, and `nice npm test` has lowered them already.
  it.skipIf(process.platform !== 'linux' || getPriority() > 0)(
    'The longer a document takes, and the more its tenant uses readers, the lower is its priority',
    async () => {
      const acquire = await openSandbox();
      const priorityOf = (reader: Awaited<ReturnType<typeof acquire>>) =>
        getPriority(reader.process.pid);
      const short = await acquire('quiet');
      await expect.poll(() => priorityOf(short)).toBe(5);
      await short.terminate();
      const long = await acquire('busy');
      await expect.poll(() => priorityOf(long)).toBe(5);
      const second = await acquire('busy');
      await expect.poll(() => priorityOf(second)).toBe(19);
      await expect.poll(() => priorityOf(long), { timeout: 5_000 }).toBe(10);
      expect(priorityOf(second)).toBe(19);
      const spare = await acquire('another');
      expect(priorityOf(spare)).toBe(5);
      for (const reader of [long, second, spare]) await reader.terminate();
    },
  );

  it('A reader process reads only documents of one batch, one after another', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const sandbox = createSandbox({
      directory: join(directory.path, 'readers'),
      heapMegabytesMax: readLimits.heapMegabytesMax,
      processorSecondsMax: 60,
    });
    onTestFinished(() => sandbox.close());
    const readers: { batch: string | undefined; pid: number | undefined }[] = [];
    const recordingSandbox = {
      ...sandbox,
      acquire: async (...args: Parameters<typeof sandbox.acquire>) => {
        const reader = await sandbox.acquire(...args);
        readers.push({ batch: args[1]?.batch, pid: reader.process.pid });
        return reader;
      },
    };
    const read = async (text: string, batch?: string) => {
      const document = await readDocumentText({
        sandbox: recordingSandbox,
        source: await files.sourceOf(text),
        batch,
        unitsMax: 1_000,
      });
      return document.text;
    };
    const pidsOf = (batch?: string) =>
      new Set(readers.flatMap((reader) => (reader.batch === batch ? [reader.pid] : [])));

    const texts = Array.from({ length: 8 }, (_, index) => `Document ${index} of ada.`);
    const results: string[] = [];
    for (const [index, text] of texts.entries()) {
      results.push(await read(text, 'ada'));
      if (index === 3) expect(await read('A document of bob.', 'bob')).toBe('A document of bob.');
      if (index === 5) expect(await read('A document of nobody.')).toBe('A document of nobody.');
    }
    expect(results).toEqual(texts);
    // On a busy machine the process can end between two documents, because the pause is too long.
    expect(pidsOf('ada').size).toBeLessThan(texts.length);
    for (const batch of ['bob', undefined])
      for (const pid of pidsOf(batch)) expect(pidsOf('ada')).not.toContain(pid);

    // A process whose document was rejected reads no other document.
    await expect(read('', 'eve')).rejects.toMatchObject({ code: 'EMPTY' });
    expect(await read('A document of eve.', 'eve')).toBe('A document of eve.');
    expect(pidsOf('eve').size).toBe(2);
  });

  it('The idle process of a batch ends after a while and when the sandbox is closed', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const sandbox = createSandbox({
      directory: join(directory.path, 'readers'),
      heapMegabytesMax: readLimits.heapMegabytesMax,
      processorSecondsMax: 60,
    });
    const source = await files.sourceOf('Holidays are thirty days a year.');
    const acquireAndRelease = async (batch: string) => {
      const { process: reader, release } = await sandbox.acquire(source, { batch });
      await release();
      return reader.pid;
    };
    const idlePid = await acquireAndRelease('one');
    expect(isRunning(idlePid)).toBe(true);
    await expect.poll(() => isRunning(idlePid), { timeout: 30_000 }).toBe(false);
    const lastPid = await acquireAndRelease('two');
    sandbox.close();
    await expect.poll(() => isRunning(lastPid), { timeout: 30_000 }).toBe(false);
  });

  it('A killed reader process fails only its own document', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    mkdirSync(join(directory.path, 'own'));
    const sandbox = createSandbox({
      directory: directory.path,
      heapMegabytesMax: readLimits.heapMegabytesMax,
      processorSecondsMax: 60,
    });
    onTestFinished(() => sandbox.close());
    const killingSandbox = {
      ...sandbox,
      acquire: async (...args: Parameters<typeof sandbox.acquire>) => {
        const reader = await sandbox.acquire(...args);
        reader.process.kill('SIGSEGV');
        return reader;
      },
    };
    const source = await files.sourceOf('word '.repeat(1_000_000));
    await expect(readDocument({ sandbox: killingSandbox, source })).rejects.toMatchObject({
      name: 'ExtractError',
      code: 'DAMAGED',
    });
    const reading = await readDocument({ sandbox, source });
    for await (const _ of reading.batches);
    expect((await reading.finished).passages).toBeGreaterThan(1_000);
  });

  it.skipIf(process.platform !== 'linux' || getPriority() > 0)(
    'The priority of a reader process is not added to that of the program that starts it',
    () => {
      const directory = temporaryDirectory();
      onTestFinished(directory.remove);
      const launcher = new URL('../../../src/vault/extract/reader-launcher.ts', import.meta.url);
      const program = `const { createReaderLauncher } = await import('${launcher.href}');
      const { getPriority } = await import('node:os');
      const { setTimeout: pause } = await import('node:timers/promises');
      const reader = createReaderLauncher().launch({ directory: '${directory.path}', heapMegabytesMax: 64, processorSecondsMax: 10, niceness: 10 });
      setInterval(() => {}, 1_000);
      await reader.started;
      for (let tries = 0; tries < 200 && getPriority(reader.pid) === 5; tries += 1) await pause(20);
      console.log(getPriority(reader.pid)); process.exit();`;
      const command = ['-n', '5', process.execPath, '--input-type=module', '-e', program];
      expect(spawnSync('nice', command, { encoding: 'utf8' }).stdout.trim()).toBe('10');
    },
  );

  it('Reader processes and their launcher end after the program has been killed', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const launcher = new URL('../../../src/vault/extract/reader-launcher.ts', import.meta.url).href;
    const program = `const { createReaderLauncher } = await import('${launcher}');
      const reader = createReaderLauncher().launch({ directory: '${directory.path}', heapMegabytesMax: 64, processorSecondsMax: 10, niceness: 0 });
      setInterval(() => {}, 1_000);
      await reader.started;
      console.log(reader.pid); process.kill(process.pid, 'SIGKILL');`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });

  it('A launcher that was killed fails the documents that are read, and the next document gets a new one', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const sandbox = createSandbox({
      directory: directory.path,
      heapMegabytesMax: readLimits.heapMegabytesMax,
      processorSecondsMax: 60,
    });
    onTestFinished(() => sandbox.close());
    const source = await files.sourceOf('word '.repeat(1_000_000));
    const reader = await sandbox.acquire(source);
    const failed = once(reader.process, 'failed');
    const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(reader.process.pid)], {
      encoding: 'utf8',
    });
    process.kill(Number(stdout), 'SIGKILL');
    await failed;
    await reader.terminate();
    const reading = await readDocument({ sandbox, source });
    for await (const _ of reading.batches);
    expect((await reading.finished).passages).toBeGreaterThan(1_000);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
