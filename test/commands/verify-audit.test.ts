import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpointOf, exportKeys, exportOf, hashOfLine, lineAt } from '../support/audit-export.ts';
import { run, temporaryDirectory } from '../support/process.ts';

const log = Array.from({ length: 30 }, (_, position) => lineAt(position));
const whole = exportOf(log);
let directory: ReturnType<typeof temporaryDirectory>;

beforeAll(() => {
  directory = temporaryDirectory();
  write(
    'jwks.json',
    JSON.stringify({ keys: [...exportKeys].map(([kid, key]) => ({ kid, ...key })) }),
  );
});
afterAll(() => directory.remove());

function write(name: string, content: string): string {
  const path = join(directory.path, name);
  writeFileSync(path, content);
  return path;
}
const writeLines = (name: string, lines: readonly string[]) =>
  write(name, lines.map((line) => `${line}\n`).join(''));
async function verify(...flags: string[]) {
  const command = run('src/commands/verify-audit.ts', { DATA_DIR: directory.path }, flags);
  return { code: await command.ended, output: command.stdout(), errors: command.stderr() };
}
const withKey = () => ['--key', join(directory.path, 'jwks.json')];

describe('npm run audit:verify', () => {
  it('An export that nobody changed is as it was sealed, also beside stored checkpoints', async () => {
    const checkpoint = checkpointOf(log.map(hashOfLine), 20);
    const stored = write('latest.json', JSON.stringify({ status: 'success', checkpoint }));
    const list = write('list.json', JSON.stringify({ checkpoints: [checkpoint], next: '20' }));
    const file = writeLines('whole.ndjson', whole);
    for (const flags of [[], ['--checkpoints', stored], ['--checkpoints', list]]) {
      const { code, output } = await verify(file, ...withKey(), ...flags);
      expect(output).toContain(
        'The 30 entries of the file, which are those of positions 0 to 29, are as they were sealed.',
      );
      expect(output.includes('compared with 1 stored checkpoint')).toBe(flags.length > 0);
      expect(code).toBe(0);
    }
  });

  it('A fault is named by line and id, and the exit code is 1', async () => {
    const changed = whole.with(4, (whole[4] ?? '').replace('Team 4', 'Team 5')).toSpliced(9, 1);
    const { code, output } = await verify(writeLines('changed.ndjson', changed), ...withKey());
    expect(output).toContain(
      'Line 5: The entry 00000000-0000-7000-8000-000000000004 of position 4 was changed.',
    );
    expect(output).toContain('Line 10: The entry of position 9 is missing before this line.');
    expect(output).toContain('2 faults were found in a file of 29 entries.');
    expect(code).toBe(1);
  });

  it('What cannot be checked has the exit code 2', async () => {
    const file = writeLines('whole.ndjson', whole);
    const broken = write('broken.json', '{}');
    for (const flags of [
      [],
      [file, file],
      [join(directory.path, 'absent.ndjson'), ...withKey()],
      [file, ...withKey(), '--unknown'],
      [file, ...withKey(), '--checkpoints', broken],
    ]) {
      const { code, errors } = await verify(...flags);
      expect(errors).not.toBe('');
      expect(code).toBe(2);
    }
  });
});
