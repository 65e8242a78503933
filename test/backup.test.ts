import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authSecretName } from '../src/modules/accounts/auth-secret.ts';
import { writeCheckSums } from '../src/platform/backup/check-sums.ts';
import { lockDirectory } from '../src/platform/database/lock.ts';
import { emptyServer, serverUrl } from './support/database.ts';
import { run, temporaryDirectory } from './support/process.ts';

let directory: ReturnType<typeof temporaryDirectory>;
const servers: Awaited<ReturnType<typeof emptyServer>>[] = [];

// A place with everything in it and its backup, made once: the tests take copies.
let model: ReturnType<typeof temporaryDirectory>;
let origin: Place;

beforeAll(async () => {
  model = temporaryDirectory();
  origin = await emptyPlace(join(model.path, 'origin'));
  expect(await said('src/seed.ts', origin)).toMatchObject({ code: 0 });
  writeFileSync(join(origin.DATA_DIR, authSecretName), `${'s'.repeat(43)}\n`);
  expect(await backUp(origin, join(model.path, 'backup'))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Wrote \d+ rows of \d+ tables and 8 files/),
  });
});
beforeEach(() => {
  directory = temporaryDirectory();
  cpSync(join(model.path, 'backup'), inside('backup'), { recursive: true });
});
afterEach(() => directory.remove());
afterAll(async () => {
  model.remove();
  await Promise.all(servers.map((server) => server.close()));
});

type Place = { DATA_DIR: string; DATABASE_URL?: string };

/** Where nothing is yet: a directory, and with a Postgres a database of its own. */
async function emptyPlace(
  name: string,
  { embedded = serverUrl === undefined } = {},
): Promise<Place> {
  const place = { DATA_DIR: inside(name) };
  if (embedded) return place;
  const server = await emptyServer();
  servers.push(server);
  return { ...place, DATABASE_URL: server.url ?? '' };
}

async function said(file: string, place: Place, ...args: string[]) {
  const running = run(file, { LOG_LEVEL: 'error', ...place }, args);
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
}
const inside = (name: string) => resolve(directory?.path ?? '', name);
const backUp = (place: Place, name = 'backup') => said('src/backup.ts', place, inside(name));
const restore = (place: Place, name = 'backup') => said('src/restore.ts', place, inside(name));

/** The content of a backup by file; when it was made and from what is no matter of content. */
function contentOf(name: string): Record<string, string> {
  const files = readdirSync(inside(name), { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(inside(name), file)).isFile(),
  );
  const { tables, migrations } = JSON.parse(
    readFileSync(join(inside(name), 'backup.json'), 'utf8'),
  );
  const content = files
    .filter((file) => !['backup.json', 'SHA256SUMS'].includes(file))
    .map((file) => [file, linesOf(join(inside(name), file))]);
  return { ...Object.fromEntries(content), manifest: JSON.stringify({ tables, migrations }) };
}
// The order of rows is the database's own matter.
const linesOf = (file: string) =>
  readFileSync(file, file.endsWith('.jsonl') ? 'utf8' : 'base64')
    .split('\n')
    .toSorted()
    .join('\n');

describe('a backup', () => {
  it('that is restored gives the same backup again, and every kept number is right', async () => {
    const copy = await emptyPlace('copy');
    expect(await restore(copy)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored \d+ rows and 8 files/),
    });
    expect(await said('src/check-counters.ts', copy)).toMatchObject({ code: 0 });
    await backUp(copy, 'again');
    expect(contentOf('again')).toEqual(contentOf('backup'));
    expect(Object.keys(contentOf('backup'))).toContain(authSecretName);
  });

  it('can be read by nobody else on the machine', () => {
    const backup = join(model.path, 'backup');
    for (const name of ['.', 'backup.json', 'tables/users.jsonl', authSecretName])
      expect(statSync(join(backup, name)).mode & 0o077).toBe(0);
  });

  it.skipIf(!serverUrl)('of one kind of database is restored to the other', async () => {
    const embedded = await emptyPlace('embedded', { embedded: true });
    expect(await restore(embedded)).toMatchObject({ code: 0 });
    await backUp(embedded, 'from-embedded');
    expect(contentOf('from-embedded')).toEqual(contentOf('backup'));
    const postgres = await emptyPlace('postgres');
    expect(await restore(postgres, 'from-embedded')).toMatchObject({ code: 0 });
    await backUp(postgres, 'from-postgres');
    expect(contentOf('from-postgres')).toEqual(contentOf('backup'));
  });

  it('is not written over anything', async () => {
    const before = contentOf('backup');
    expect(await backUp(origin)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already'),
    });
    expect(contentOf('backup')).toEqual(before);
  });

  it.skipIf(serverUrl)(
    'of an embedded database that is in use is refused, and says by whom',
    async () => {
      const unlock = lockDirectory(join(origin.DATA_DIR, 'database'));
      expect(await backUp(origin, 'refused')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`is in use by process ${process.pid}`),
      });
      unlock();
      expect(existsSync(inside('refused'))).toBe(false);
    },
  );
});

describe('a backup that is not whole', () => {
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  const stored = () =>
    join(
      'files',
      readdirSync(join(inside('backup'), 'files'), { recursive: true, encoding: 'utf8' }).find(
        (name) => name.includes('/'),
      ) ?? '',
    );

  it('is refused before anything is touched, and what is wrong with it is named', async () => {
    const parts = ['tables/users.jsonl', 'backup.json', stored(), authSecretName];
    const damages: [string, string, () => void][] = [
      ...parts.map((part): [string, string, () => void] => [
        part,
        `${part} is not what was written`,
        () => flip(join(inside('backup'), part)),
      ]),
      [
        'tables/teams.jsonl',
        'tables/teams.jsonl is missing',
        () => rmSync(join(inside('backup'), 'tables/teams.jsonl')),
      ],
      ['extra', 'extra is not listed', () => writeFileSync(join(inside('backup'), 'extra'), '')],
      ['SHA256SUMS', 'is not', () => flip(join(inside('backup'), 'SHA256SUMS'))],
      [
        'SHA256SUMS',
        'is no backup, or not a whole one',
        () => rmSync(join(inside('backup'), 'SHA256SUMS')),
      ],
    ];
    const copy = await emptyPlace('copy');
    for (const [name, message, damage] of damages) {
      const file = join(inside('backup'), name);
      const whole = existsSync(file) ? readFileSync(file) : undefined;
      damage();
      expect(await restore(copy)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      });
      expect(existsSync(copy.DATA_DIR)).toBe(false);
      if (whole) writeFileSync(file, whole);
      else rmSync(file);
    }
    expect(await restore(copy)).toMatchObject({ code: 0 });
  });
});

describe('restoring', () => {
  it('where something is already is refused and changes nothing', async () => {
    expect(await restore(origin)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The database is not empty: \w+ has rows/),
    });
    await backUp(origin, 'after');
    expect(contentOf('after')).toEqual(contentOf('backup'));
  });

  it('where another secret signs, or files lie that are not of the backup, is refused', async () => {
    const copy = await emptyPlace('copy');
    mkdirSync(join(copy.DATA_DIR, 'files/somebody'), { recursive: true });
    writeFileSync(join(copy.DATA_DIR, 'files/somebody/else'), 'kept');
    expect(await restore(copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The storage is not empty'),
    });
    expect(readdirSync(join(copy.DATA_DIR, 'files'), { recursive: true })).toEqual([
      'somebody',
      'somebody/else',
    ]);
    writeFileSync(join(copy.DATA_DIR, authSecretName), `${'t'.repeat(43)}\n`);
    expect(await restore(copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another than that of the backup'),
    });
  });

  it('what a newer Atrium wrote is refused', async () => {
    await rewritten((manifest) => manifest.migrations.push('99991231000000_tomorrow'));
    expect(await restore(await emptyPlace('copy'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('newer Atrium'),
    });
  });

  it('that fails in the middle leaves no row, and can be done again', async () => {
    const copy = await emptyPlace('copy');
    const file = join(inside('backup'), 'tables/users.jsonl');
    const whole = readFileSync(file);
    appendFileSync(file, '{"id":"half"}\n');
    await rewritten();
    expect(await restore(copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('null value'),
    });
    writeFileSync(file, whole);
    await rewritten();
    expect(await restore(copy)).toMatchObject({ code: 0 });
  });
});

/** A backup that says something else, and is whole. */
async function rewritten(
  change: (manifest: { migrations: string[] }) => void = () => undefined,
): Promise<void> {
  const file = join(inside('backup'), 'backup.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
  rmSync(join(inside('backup'), 'SHA256SUMS'));
  await writeCheckSums(inside('backup'));
}
