import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(file.path.startsWith(join(path, String(process.pid)))).toBe(true);
    await file.remove();
    expect(readdirSync(join(path, String(process.pid)))).toEqual([]);
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
    expect(readdirSync(join(path, String(process.pid)))).toEqual([]);
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
    expect(readdirSync(join(path, String(process.pid)))).toEqual([]);
  });

  it('Opening deletes the directories of ended processes and keeps those of running processes', async () => {
    const path = directory();
    const staleNames = ['999999999', String(process.pid), 'no number'];
    for (const name of [...staleNames, String(process.ppid)]) {
      mkdirSync(join(path, name));
      writeFileSync(join(path, name, 'file'), 'rest');
    }
    await openWorkDirectory(path);
    expect(readdirSync(path).toSorted()).toEqual(
      [String(process.pid), String(process.ppid)].toSorted(),
    );
    expect(existsSync(join(path, String(process.pid), 'file'))).toBe(false);
    expect(existsSync(join(path, String(process.ppid), 'file'))).toBe(true);
  });
});
