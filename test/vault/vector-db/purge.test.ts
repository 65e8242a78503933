import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connectLance } from '../../../src/vault/vector-db/lance/lance.ts';
import { openPassageTable } from '../../../src/vault/vector-db/lance/passage-table.ts';
import { vectorOf } from '../../support/passages.ts';
import { temporaryDirectory } from '../../support/process.ts';

const rowsOf = (generation: number, word: string, count: number) =>
  Array.from({ length: count }, (_, ordinal) => ({
    ...{
      generation,
      ordinal,
      text: `${word} ${ordinal}`,
      page: null,
      headings: [],
      start: 0,
      end: 1,
    },
    vector: vectorOf(word),
  }));

it.each([
  [
    'with other files that are not indexed yet',
    async (table: PassageTable) => {
      await table.add(rowsOf(3, 'later', 3));
      await table.add(rowsOf(4, 'latest', 3));
    },
  ],
  ['alone in its file', async () => {}],
  [
    'with another indexed file',
    async (table: PassageTable) => {
      await table.add(rowsOf(3, 'later', 3));
      await table.index();
    },
  ],
])('A few deleted passages of many are removed from the disk: %s', async (_, prepare) => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const connection = await connectLance({ location: directory.path, storageOptions: {} }, 64);
  const table = await openPassageTable(connection, {
    name: 'passages-test',
    newTableDimensions: 8,
    vectorIndexRowsMin: 20_000,
  });
  if (!table) throw new Error('no table');
  await table.add([...rowsOf(1, 'staying', 100), ...rowsOf(2, 'leaving', 5)]);
  await table.index();
  await prepare(table);
  await table.purge([2]);
  expect(filesWith(directory.path, 'leaving')).toEqual([]);
  expect(filesWith(directory.path, 'staying')).not.toEqual([]);
  await table.close();
  connection.close();
});

type PassageTable = NonNullable<Awaited<ReturnType<typeof openPassageTable>>>;

const filesWith = (folder: string, word: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(word));
