import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { passagesOf } from '../../support/passages.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { linesOfLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

function withOrphans() {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const location = join(directory.path, 'vectors');
  for (let nth = 0; nth < 40; nth += 1)
    mkdirSync(join(location, `passages-${String(nth).padStart(40, '0')}-fresh.lance`), {
      recursive: true,
    });
  return location;
}

it('the sweep after a start takes a table with nothing in it for none', async () => {
  const { lines, log } = linesOfLog();
  const database = await startVectorDb(withOrphans(), log);
  await database.settled();
  await database.stop();
  expect(lines.join('')).not.toContain('could not be swept');
});

it('a sweep whose storage goes away in the middle does not stand in the way of the end', async () => {
  const location = withOrphans();
  const database = await startVectorDb(location, linesOfLog().log);
  await rename(location, `${location}-away`);
  await database.settled();
  await rename(`${location}-away`, location);
  await expect(database.stop()).resolves.toBeUndefined();
});

it('the sweep after a start takes away what a kill has left of a writing that no list knows yet', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const location = join(directory.path, 'vectors');
  const { log } = linesOfLog();
  const database = await startVectorDb(location, log);
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
  const [written = ''] = readdirSync(data);
  const torn = join(data, `torn-${written}`);
  copyFileSync(join(data, written), torn);
  await database.start();
  await database.settled();
  expect(existsSync(torn)).toBe(false);
  expect(
    (await client.passages('swept', 'one', { limit: 1 })).passages.map(({ text }) => text),
  ).toEqual(['some words']);
  await database.stop();
});
