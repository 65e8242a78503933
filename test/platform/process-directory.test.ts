import { isAbsolute, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openProcessDirectory } from '../../src/platform/process-directory.ts';
import { temporaryDirectory } from '../support/process.ts';

it('The directory of a process has an absolute path, because readers have another working directory', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const { path, close } = await openProcessDirectory(relative('', directory.path));
  expect(isAbsolute(path)).toBe(true);
  await close();
});
