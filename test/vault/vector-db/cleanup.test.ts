import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { passagesOf } from '../../support/passages.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { recordLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

function createEmptyTables() {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const location = join(directory.path, 'vectors');
  for (let index = 0; index < 40; index += 1)
    mkdirSync(join(location, `passages-${String(index).padStart(40, '0')}-fresh.lance`), {
      recursive: true,
    });
  return location;
}

it('The cleanup after a start accepts empty table directories', async () => {
  const { lines, log } = recordLog();
  const database = await startVectorDb(createEmptyTables(), log, { engine: 'lance' });
  await database.settled();
  await database.stop();
  expect(lines.join('')).not.toContain('cleaning up after the previous process failed');
});

it('A cleanup whose storage disappears does not prevent stopping', async () => {
  const location = createEmptyTables();
  const database = await startVectorDb(location, recordLog().log, { engine: 'lance' });
  await rename(location, `${location}-away`);
  await database.settled();
  await rename(`${location}-away`, location);
  await expect(database.stop()).resolves.toBeUndefined();
});

it('The cleanup after a start deletes data files that no table version lists', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const location = join(directory.path, 'vectors');
  const { log } = recordLog();
  const database = await startVectorDb(location, log, { engine: 'lance' });
  const client = createVectorDbClient({ url: database.url, secret: vaultSecret });
  await client.put(
    'swept',
    'one',
    { hash: 'e'.repeat(64), embedding: 'letters-1', facts: {} },
    passagesOf(['some words']),
  );
  await database.stop();
  const [table] = readdirSync(location).filter((name) => name.startsWith('passages-'));
  const data = join(location, table ?? '', 'data');
  const [dataFile = ''] = readdirSync(data);
  const unlisted = join(data, `unlisted-${dataFile}`);
  copyFileSync(join(data, dataFile), unlisted);
  await database.start();
  await database.settled();
  expect(existsSync(unlisted)).toBe(false);
  expect(
    (await client.passages('swept', 'one', { limit: 1 })).passages.map(({ text }) => text),
  ).toEqual(['some words']);
  await database.stop();
});
