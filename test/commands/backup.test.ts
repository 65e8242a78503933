import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authSecretName } from '../../src/modules/accounts/auth-secret.ts';
import { writeCheckSums } from '../../src/platform/backup/check-sums.ts';
import { lockDirectory } from '../../src/platform/database/lock.ts';
import { emptyServer, serverUrl } from '../support/database.ts';
import { run, temporaryDirectory } from '../support/process.ts';

let directory: ReturnType<typeof temporaryDirectory>;
const servers: Awaited<ReturnType<typeof emptyServer>>[] = [];

// An installation with demo data and its backup, created once: each test uses a copy.
let sharedDirectory: ReturnType<typeof temporaryDirectory>;
let source: Installation;

beforeAll(async () => {
  sharedDirectory = temporaryDirectory();
  source = await emptyInstallation(join(sharedDirectory.path, 'origin'));
  expect(await runProgram('src/commands/seed.ts', source)).toMatchObject({ code: 0 });
  writeFileSync(join(source.DATA_DIR, authSecretName), `${'s'.repeat(43)}\n`);
  expect(await backUp(source, join(sharedDirectory.path, 'backup'))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Wrote \d+ rows of \d+ tables and 8 files/),
  });
});
beforeEach(() => {
  directory = temporaryDirectory();
  cpSync(join(sharedDirectory.path, 'backup'), pathOf('backup'), { recursive: true });
});
afterEach(() => directory.remove());
afterAll(async () => {
  sharedDirectory.remove();
  await Promise.all(servers.map((server) => server.close()));
});

type Installation = { DATA_DIR: string; DATABASE_URL?: string };

/** A new data directory and, with Postgres, a new database. */
async function emptyInstallation(
  name: string,
  { embedded = serverUrl === undefined } = {},
): Promise<Installation> {
  const installation = { DATA_DIR: pathOf(name) };
  if (embedded) return installation;
  const server = await emptyServer();
  servers.push(server);
  return { ...installation, DATABASE_URL: server.url ?? '' };
}

async function runProgram(file: string, installation: Installation, ...args: string[]) {
  const running = run(file, { LOG_LEVEL: 'error', ...installation }, args);
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
}
const pathOf = (name: string) => resolve(directory?.path ?? '', name);
const backUp = (installation: Installation, name = 'backup') =>
  runProgram('src/commands/backup.ts', installation, pathOf(name));
const restore = (installation: Installation, name = 'backup') =>
  runProgram('src/commands/restore.ts', installation, pathOf(name));

/** The content of a backup by file, without its time and origin. */
function contentOf(name: string): Record<string, string> {
  const files = readdirSync(pathOf(name), { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(pathOf(name), file)).isFile(),
  );
  const { tables, migrations } = JSON.parse(
    readFileSync(join(pathOf(name), 'backup.json'), 'utf8'),
  );
  const content = files
    .filter((file) => !['backup.json', 'SHA256SUMS'].includes(file))
    .map((file) => [file, linesOf(join(pathOf(name), file))]);
  return { ...Object.fromEntries(content), manifest: JSON.stringify({ tables, migrations }) };
}
// The order of rows is not part of the content. The ids of transactions belong to a server: a restore
// gives the entries one of the new server.
const linesOf = (file: string) =>
  readFileSync(file, file.endsWith('.jsonl') ? 'utf8' : 'base64')
    .replaceAll(/"tx_id": \d+/g, '"tx_id": 0')
    .split('\n')
    .toSorted()
    .join('\n');

describe('a backup', () => {
  it('a backup of a restored backup is identical, and all counters are correct', async () => {
    const copy = await emptyInstallation('copy');
    expect(await restore(copy)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored \d+ rows and 8 files/),
    });
    expect(await runProgram('src/commands/check-counters.ts', copy)).toMatchObject({ code: 0 });
    await backUp(copy, 'again');
    expect(contentOf('again')).toEqual(contentOf('backup'));
    expect(Object.keys(contentOf('backup'))).toContain(authSecretName);
  });

  it('a backup is readable only by its owner', () => {
    const backup = join(sharedDirectory.path, 'backup');
    for (const name of ['.', 'backup.json', 'tables/users.jsonl', authSecretName])
      expect(statSync(join(backup, name)).mode & 0o077).toBe(0);
  });

  it.skipIf(!serverUrl)(
    'a backup of either kind of database can be restored to the other',
    async () => {
      const embedded = await emptyInstallation('embedded', { embedded: true });
      expect(await restore(embedded)).toMatchObject({ code: 0 });
      await backUp(embedded, 'from-embedded');
      expect(contentOf('from-embedded')).toEqual(contentOf('backup'));
      const postgres = await emptyInstallation('postgres');
      expect(await restore(postgres, 'from-embedded')).toMatchObject({ code: 0 });
      await backUp(postgres, 'from-postgres');
      expect(contentOf('from-postgres')).toEqual(contentOf('backup'));
    },
  );

  it('a failed backup leaves nothing behind, so that it does not take the space of the next one', async () => {
    const secret = join(source.DATA_DIR, authSecretName);
    const content = readFileSync(secret);
    rmSync(secret);
    // Cannot be read, after the rows and the files were written.
    mkdirSync(secret);
    const { code } = await backUp(source, pathOf('failed'));
    rmSync(secret, { recursive: true });
    writeFileSync(secret, content);
    expect(code).toBe(1);
    expect(readdirSync(directory.path)).toEqual(['backup']);
  });

  it('a place that cannot be written to, and a database without tables, are explained', async () => {
    writeFileSync(pathOf('file'), '');
    expect(await backUp(source, 'file/backup')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${pathOf('file/backup.unfinished')} is a file or below one, and not a directory. Name a directory (ENOTDIR)\n`,
    });
    expect(await backUp(await emptyInstallation('empty'), 'other')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is nothing to back up: .* Check DATABASE_URL/),
    });
    expect(existsSync(pathOf('other'))).toBe(false);
  });

  it('a backup does not overwrite an existing directory', async () => {
    const before = contentOf('backup');
    expect(await backUp(source)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already'),
    });
    expect(contentOf('backup')).toEqual(before);
  });

  it.skipIf(serverUrl)(
    'a backup of an embedded database in use is rejected with the process id',
    async () => {
      const unlock = lockDirectory(join(source.DATA_DIR, 'database'));
      expect(await backUp(source, 'refused')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`is in use by process ${process.pid}`),
      });
      unlock();
      expect(existsSync(pathOf('refused'))).toBe(false);
    },
  );
});

describe('a backup with pg_dump', () => {
  const hasPgDump = spawnSync('pg_dump', ['--version']).status === 0;
  if (!hasPgDump) process.stderr.write('Left out: backups with pg_dump, which is not installed.\n');

  it.skipIf(!serverUrl || !hasPgDump)(
    'with the role that the documentation recommends, the documented commands dump every row and renumber every entry',
    async () => {
      const guide = readFileSync('docs/operate/backup.md', 'utf8');
      const dump = /--while sh -c '\s*(.+?) &&/.exec(guide)?.[1] ?? '';
      const renumber = /```sql\n(begin;.+?)```/s.exec(guide)?.[1] ?? '';
      const role = `atrium_test_${randomUUID().replaceAll('-', '')}`;
      const query = async (url: string, text: string) => {
        const client = new Client({ connectionString: url });
        await client.connect();
        return client.query(text).finally(() => client.end());
      };
      const ownedServer = async () => {
        const server = await emptyServer();
        const url = new URL(server.url ?? '');
        await query(server.url ?? '', `alter database ${url.pathname.slice(1)} owner to ${role}`);
        url.username = role;
        url.password = role;
        return { ...server, url: url.href, administratorUrl: server.url ?? '' };
      };
      const countEntries = async (url: string, condition: string) =>
        Number(
          (await query(url, `select count(*) from audit_entries where ${condition}`)).rows[0].count,
        );
      await query(serverUrl ?? '', `create role ${role} login password '${role}'`);
      const origin = await ownedServer();
      const target = await ownedServer();
      try {
        const installation = { DATA_DIR: pathOf('origin'), DATABASE_URL: origin.url };
        expect(await restore(installation)).toMatchObject({ code: 0 });
        const script = dump.replace('atrium.dump', pathOf('atrium.dump'));
        expect(
          await runProgram('src/commands/backup.ts', installation, '--while', 'sh', '-c', script),
        ).toMatchObject({ code: 0, stderr: '' });
        spawnSync('pg_restore', ['--dbname', target.url, pathOf('atrium.dump')]);
        const entries = await countEntries(origin.administratorUrl, 'true');
        expect(entries).toBeGreaterThan(0);
        expect(await countEntries(target.administratorUrl, 'true')).toBe(entries);
        await query(
          target.administratorUrl,
          `alter table audit_entries disable trigger user;
           update audit_entries set tx_id = 7;
           alter table audit_entries enable trigger user`,
        );
        await query(target.url, renumber);
        expect(await countEntries(target.administratorUrl, 'tx_id = 7')).toBe(0);
      } finally {
        await origin.close();
        await target.close();
        await query(serverUrl ?? '', `drop role ${role}`);
      }
    },
  );
});

describe('a damaged backup', () => {
  const corrupt = (file: string) => {
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  const storedFile = () =>
    join(
      'files',
      readdirSync(join(pathOf('backup'), 'files'), { recursive: true, encoding: 'utf8' }).find(
        (name) => name.includes('/'),
      ) ?? '',
    );

  it('a damaged backup is rejected before anything is changed, and the error names the damage', async () => {
    const parts = ['tables/users.jsonl', 'backup.json', storedFile(), authSecretName];
    const damages: [string, string, () => void][] = [
      ...parts.map((part): [string, string, () => void] => [
        part,
        `${part} is not what was written`,
        () => corrupt(join(pathOf('backup'), part)),
      ]),
      [
        'tables/teams.jsonl',
        'tables/teams.jsonl is missing',
        () => rmSync(join(pathOf('backup'), 'tables/teams.jsonl')),
      ],
      ['extra', 'extra is not listed', () => writeFileSync(join(pathOf('backup'), 'extra'), '')],
      ['SHA256SUMS', 'is not', () => corrupt(join(pathOf('backup'), 'SHA256SUMS'))],
      [
        'SHA256SUMS',
        'is no backup, or not a whole one',
        () => rmSync(join(pathOf('backup'), 'SHA256SUMS')),
      ],
    ];
    const copy = await emptyInstallation('copy');
    for (const [name, message, damage] of damages) {
      const file = join(pathOf('backup'), name);
      const original = existsSync(file) ? readFileSync(file) : undefined;
      damage();
      expect(await restore(copy)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      });
      expect(readdirSync(copy.DATA_DIR)).toEqual([]);
      if (original) writeFileSync(file, original);
      else rmSync(file);
    }
    expect(await restore(copy)).toMatchObject({ code: 0 });
  });
});

describe('restore', () => {
  it('a restore into a database with rows is rejected and changes nothing', async () => {
    expect(await restore(source)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The database is not empty: \w+ has rows/),
    });
    await backUp(source, 'after');
    expect(contentOf('after')).toEqual(contentOf('backup'));
  });

  it('a restore is rejected if another authentication secret or other files exist', async () => {
    const copy = await emptyInstallation('copy');
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

  it('a place that is no directory, or does not exist, is explained', async () => {
    const target = await emptyInstallation('target');
    writeFileSync(pathOf('file'), '');
    mkdirSync(pathOf('directory'));
    const messages = {
      file: /^.*\/file is a file or below one, and not a directory\. Name a directory/,
      absent: /^There is no .*\/absent.*\. Name a place that exists/,
      directory: /^.*\/directory is no backup, or not a whole one: it has no SHA256SUMS/,
    };
    for (const [name, message] of Object.entries(messages))
      expect(await restore(target, name)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(message),
      });
  });

  it('a backup of a newer version is rejected', async () => {
    await rewriteManifest((manifest) => manifest.migrations.push('99991231000000_tomorrow'));
    expect(await restore(await emptyInstallation('copy'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('newer Atrium'),
    });
  });

  it('a failed restore leaves no rows and can be repeated', async () => {
    const copy = await emptyInstallation('copy');
    const file = join(pathOf('backup'), 'tables/users.jsonl');
    const original = readFileSync(file);
    appendFileSync(file, '{"id":"half"}\n');
    await rewriteManifest();
    expect(await restore(copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('null value'),
    });
    writeFileSync(file, original);
    await rewriteManifest();
    expect(await restore(copy)).toMatchObject({ code: 0 });
  });
});

/** Changes the manifest of a backup and updates its check sums. */
async function rewriteManifest(
  change: (manifest: { migrations: string[] }) => void = () => undefined,
): Promise<void> {
  const file = join(pathOf('backup'), 'backup.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
  rmSync(join(pathOf('backup'), 'SHA256SUMS'));
  await writeCheckSums(pathOf('backup'));
}
