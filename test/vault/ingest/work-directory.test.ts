import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openWorkDirectory } from '../../../src/vault/ingest/work-directory.ts';
import { temporaryDirectory } from '../../support/process.ts';

const directories: { remove: () => void }[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove();
});
const directory = () => {
  const temporary = temporaryDirectory();
  directories.push(temporary);
  return temporary.path;
};
/** What is stored in the directory of this process. Its lock is beside it. */
const storedIn = (path: string) => {
  const [own = '', ...others] = readdirSync(path).filter((name) => !name.includes('.'));
  expect(others).toEqual([]);
  return readdirSync(join(path, own));
};
const signal = new AbortController().signal;
const requestWith = (body: ReadableStream<Uint8Array> | null) => ({
  headers: new Headers(),
  body,
  signal: signal,
});
const bodyOf = (text: string) => requestWith(new Response(text).body);

describe('openWorkDirectory', () => {
  it('A received file is stored under a random name, with its length and hash, until it is removed', async () => {
    const path = directory();
    const work = await openWorkDirectory(path);
    const file = await work.receive(bodyOf('hello'));
    expect(readFileSync(file.path, 'utf8')).toBe('hello');
    expect(file).toMatchObject({
      bytes: 5,
      hash: createHash('sha256').update('hello').digest('hex'),
    });
    expect(storedIn(path)).toEqual([basename(file.path)]);
    await file.remove();
    expect(storedIn(path)).toEqual([]);
    await work.close();
    expect(readdirSync(path)).toEqual([]);
  });

  it('A body that is too large or interrupted leaves no file', async () => {
    const path = directory();
    const work = await openWorkDirectory(path, 4);
    await expect(work.receive(bodyOf('hello'))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    const interrupted = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
      },
      pull: () => Promise.reject(new Error('the sender is gone')),
    });
    await expect(work.receive(requestWith(interrupted))).rejects.toThrow('the sender is gone');
    expect(storedIn(path)).toEqual([]);
    expect((await work.receive(bodyOf('hell'))).bytes).toBe(4);
  });

  it('Bodies that are interrupted before their files are open leave no file', async () => {
    const path = directory();
    const work = await openWorkDirectory(path);
    const interruptedBody = () =>
      new ReadableStream<Uint8Array>({
        pull: () => Promise.reject(new Error('the sender is gone')),
      });
    for (let round = 0; round < 20; round += 1) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, () => work.receive(requestWith(interruptedBody()))),
      );
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    }
    expect(storedIn(path)).toEqual([]);
  });

  it('Opening deletes the directories of ended processes and keeps those of running processes', async () => {
    const path = directory();
    const abandoned = join(path, randomUUID());
    mkdirSync(abandoned);
    writeFileSync(join(abandoned, 'file'), 'rest');
    const running = await openWorkDirectory(path);
    expect(existsSync(abandoned)).toBe(false);
    const file = await running.receive(bodyOf('hello'));
    await openWorkDirectory(path);
    expect(readFileSync(file.path, 'utf8')).toBe('hello');
  });
});
