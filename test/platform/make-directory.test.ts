import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeDirectory } from '../../src/platform/make-directory.ts';
import { temporaryDirectory } from '../support/process.ts';

function directory(): string {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  return path;
}

it('a directory is created with its parents, readable only by its owner', () => {
  const path = join(directory(), 'a', 'b');
  makeDirectory(path);
  for (const created of [path, join(path, '..')])
    expect(statSync(created).mode & 0o777).toBe(0o700);
});

it('a directory that exists stays as it is', () => {
  const path = join(directory(), 'a');
  mkdirSync(path, { mode: 0o750 });
  makeDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o750);
});

it('a file in the place of the directory or of a parent is an error', () => {
  const path = join(directory(), 'a');
  writeFileSync(path, '');
  expect(() => makeDirectory(path)).toThrow('EEXIST');
  expect(() => makeDirectory(join(path, 'b'))).toThrow('EEXIST');
});

it.skipIf(process.platform !== 'linux')('a path below /proc is an error', () => {
  expect(() => makeDirectory('/proc/atrium/data')).toThrow('ENOENT');
});
