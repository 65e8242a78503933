import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
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

describe('the process that reads a document', () => {
  it('gets no secret, no other file, no connection, no process and no signal', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const { attempts, connections } = await probeSandbox(directory.path);
    expect(attempts.filter(({ succeeded }) => succeeded)).toEqual([]);
    expect(attempts.length).toBeGreaterThan(15);
    expect(connections).toBe(0);
    expect(existsSync(join(directory.path, 'written'))).toBe(false);
  });

  it('is another one for each document, and leaves nothing behind', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const readers = join(directory.path, 'readers');
    const sandbox = createSandbox({
      directory: readers,
      heapMegabytesMax: 256,
      processorSecondsMax: 60,
    });
    const source = await files.sourceOf('Holidays are thirty days a year.');
    const seen = new Set<number | undefined>();
    for (let round = 0; round < 3; round += 1) {
      const reader = await sandbox.acquire(source);
      seen.add(reader.child.pid);
      expect(reader.source.path).not.toBe(source.path);
      await reader.terminate();
    }
    expect(seen.size).toBe(3);
    // That of the process that waits.
    expect(readdirSync(readers)).toHaveLength(1);
    sandbox.close();
    expect(existsSync(readers)).toBe(false);
    expect(existsSync(source.path)).toBe(true);
  });

  it('reads the documents of one batch one after another, and those of no other', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const sandbox = createSandbox({
      directory: join(directory.path, 'readers'),
      heapMegabytesMax: readLimits.heapMegabytesMax,
      processorSecondsMax: 60,
    });
    onTestFinished(() => sandbox.close());
    const readers: { batch: string | undefined; pid: number | undefined }[] = [];
    const watched = {
      ...sandbox,
      take: async (...args: Parameters<typeof sandbox.take>) => {
        const reader = await sandbox.acquire(...args);
        readers.push({ batch: args[1]?.batch, pid: reader.child.pid });
        return reader;
      },
    };
    const read = async (text: string, batch?: string) => {
      const found = await readDocumentText({
        sandbox: watched,
        source: await files.sourceOf(text),
        batch,
        unitsMax: 1_000,
      });
      return found.text;
    };
    const pidsOf = (batch?: string) =>
      new Set(readers.flatMap((reader) => (reader.batch === batch ? [reader.pid] : [])));

    const texts = Array.from({ length: 8 }, (_, index) => `Document ${index} of ada.`);
    const found: string[] = [];
    for (const [index, text] of texts.entries()) {
      found.push(await read(text, 'ada'));
      if (index === 3) expect(await read('A document of bob.', 'bob')).toBe('A document of bob.');
      if (index === 5) expect(await read('A document of nobody.')).toBe('A document of nobody.');
    }
    expect(found).toEqual(texts);
    // A machine under load may take so long that the process is ended between two documents.
    expect(pidsOf('ada').size).toBeLessThan(texts.length);
    for (const batch of ['bob', undefined])
      for (const pid of pidsOf(batch)) expect(pidsOf('ada')).not.toContain(pid);

    // A process whose document was refused reads no other.
    await expect(read('', 'eve')).rejects.toMatchObject({ code: 'EMPTY' });
    expect(await read('A document of eve.', 'eve')).toBe('A document of eve.');
    expect(pidsOf('eve').size).toBe(2);
  });

  it('of a batch ends when no document has come for a while, and when the sandbox is closed', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const sandbox = createSandbox({
      directory: join(directory.path, 'readers'),
      heapMegabytesMax: readLimits.heapMegabytesMax,
      processorSecondsMax: 60,
    });
    const source = await files.sourceOf('Holidays are thirty days a year.');
    const kept = async (batch: string) => {
      const { child, release } = await sandbox.acquire(source, { batch });
      await release();
      return child.pid ?? 0;
    };
    const idle = await kept('one');
    expect(isRunning(idle)).toBe(true);
    await expect.poll(() => isRunning(idle), { timeout: 30_000 }).toBe(false);
    const last = await kept('two');
    sandbox.close();
    await expect.poll(() => isRunning(last), { timeout: 30_000 }).toBe(false);
  });

  it('that is killed is the failure of its document alone', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    mkdirSync(join(directory.path, 'own'));
    const sandbox = createSandbox({
      directory: directory.path,
      heapMegabytesMax: readLimits.heapMegabytesMax,
      processorSecondsMax: 60,
    });
    onTestFinished(() => sandbox.close());
    const killing = {
      ...sandbox,
      take: async (...args: Parameters<typeof sandbox.take>) => {
        const reader = await sandbox.acquire(...args);
        reader.child.kill('SIGSEGV');
        return reader;
      },
    };
    const source = await files.sourceOf('word '.repeat(1_000_000));
    await expect(readDocument({ sandbox: killing, source })).rejects.toMatchObject({
      name: 'ExtractError',
      code: 'DAMAGED',
    });
    const reading = await readDocument({ sandbox, source });
    for await (const _ of reading.batches);
    expect((await reading.finished).passages).toBeGreaterThan(1_000);
  });

  it('ends when its parent has ended', () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const sandbox = new URL('../../../src/vault/extract/sandbox.ts', import.meta.url).href;
    const program = `const { launchSandbox } = await import('${sandbox}');
      const child = launchSandbox({ directory: '${directory.path}', heapMegabytesMax: 64, processorSecondsMax: 10 });
      console.log(child.pid); process.kill(process.pid, 'SIGKILL');`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    const pid = Number(stdout);
    return expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
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
