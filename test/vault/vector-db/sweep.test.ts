import { mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/process.ts';
import { linesOfLog } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

function withOrphans() {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const location = join(directory.path, 'vectors');
  for (let nth = 0; nth < 40; nth += 1) mkdirSync(join(location, `passages-${String(nth).padStart(40, '0')}-fresh.lance`), { recursive: true });
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
