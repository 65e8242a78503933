import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allocatorSettings } from '../support/allocator-settings.ts';

const { scripts } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { scripts: { start: string } };

/** What `npm start` gives its program, of these variables. */
function givenByStart(env: Record<string, string>): Record<string, string> {
  const lastCommand = scripts.start.split('&&').at(-1) ?? '';
  const { stdout } = spawnSync('sh', ['-c', lastCommand.replace(/ node .*/, ' env')], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  });
  return Object.fromEntries(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('MALLOC_'))
      .map((line) => line.split('=')),
  );
}

describe('the memory allocator', () => {
  it('the image limits the heaps of glibc and what they keep', () => {
    expect(Object.keys(allocatorSettings).sort()).toEqual([
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
    ]);
  });

  it('npm start sets the same variables as the image', () => {
    expect(givenByStart({})).toEqual(allocatorSettings);
  });

  it('npm start keeps values that an operator has set', () => {
    expect(givenByStart({ MALLOC_ARENA_MAX: '4' })).toEqual({
      ...allocatorSettings,
      MALLOC_ARENA_MAX: '4',
    });
  });
});
