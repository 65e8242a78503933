import { mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/process.ts';
import { recordLog } from '../../support/vault.ts';
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
