import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../src/platform/error-message.ts';
import { temporaryDirectory } from '../support/process.ts';

const fault = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: a text of the system`), { code, ...(path && { path }) });

describe('the message of an error', () => {
  it.each([
    'EACCES',
    'EPERM',
    'EROFS',
    'ENOENT',
    'ENOTDIR',
    'EISDIR',
    'ENOSPC',
    'EDQUOT',
    'EMFILE',
  ])('An error %s of a file names it, and says what to do', (code) => {
    const message = messageOf(fault(code, '/data/backup'));
    expect(message).toContain('/data/backup');
    expect(message).toMatch(new RegExp(`\\. (Give|Name|Free|Raise) .* \\(${code}\\)$`));
    expect(message).not.toContain('a text of the system');
  });

  it('A real error of the file system is explained, also if it does not name its file', () => {
    const { path, remove } = temporaryDirectory();
    mkdirSync(join(path, 'directory'));
    const read = (name: string) => {
      try {
        return readFileSync(name, 'utf8');
      } catch (error) {
        return messageOf(error, name);
      }
    };
    expect(read(join(path, 'absent'))).toMatch(/^There is no .*\/absent/);
    expect(read(join(path, 'directory'))).toMatch(/\/directory is a directory, and not a file/);
    remove();
  });

  it('Other errors keep their message', () => {
    expect(messageOf(fault('EACCES'))).toBe('EACCES: a text of the system');
    expect(messageOf(new Error('The database is not empty'))).toBe('The database is not empty');
    expect(messageOf('a text')).toBe('a text');
  });
});
