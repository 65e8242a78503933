import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addPassages,
  openPassageFile,
  removePassages,
  versionOf,
} from '../../../src/vault/vector-db/sqlite/passage-file.ts';
import { createVectorMemory } from '../../../src/vault/vector-db/sqlite/remembered-vectors.ts';
import {
  type FileMemory,
  forgetRemovedVectors,
  searchVectors,
} from '../../../src/vault/vector-db/sqlite/search-vectors.ts';
import { createSketchMemory } from '../../../src/vault/vector-db/sqlite/sketch-memory.ts';
import { createTasks } from '../../../src/vault/vector-db/sqlite/tasks.ts';
import { indexedWords } from '../../../src/vault/vector-db/words.ts';
import { temporaryDirectory } from '../../support/process.ts';

const dimensions = 16;
const vectorOf = (version: number, ordinal: number) =>
  Float32Array.from({ length: dimensions }, (_, at) => Math.sin(version * 7 + ordinal * 3 + at));

test('After a removal a search keeps the sketches and vectors of the other versions, and finds what a search without memory finds', () => {
  const directory = temporaryDirectory();
  const file = openPassageFile(join(directory.path, 'passages.sqlite'), { cacheKb: 512 });
  const add = (version: number) =>
    addPassages(
      file,
      version,
      Array.from({ length: 20 }, (_, ordinal) => ({
        ...{ ordinal, text: 'A text.', page: null, headings: [], start: 0, end: 1 },
        vector: vectorOf(version, ordinal),
        words: indexedWords('A text.', ''),
      })),
      { isLast: true },
    );
  const emptyMemory = (): FileMemory => ({
    sketches: createSketchMemory(dimensions),
    remembered: createVectorMemory(1_000_000).of('passages'),
  });
  const search = (memory: FileMemory) =>
    searchVectors(file, memory, vectorOf(3, 4), { hidden: [], last: 9 }, 50);
  try {
    for (const version of [1, 2, 3]) add(version);
    const memory = emptyMemory();
    const before = search(memory);
    expect(before).toHaveLength(50);
    // The last one is removed, so that its place in the table could be taken by the next one.
    expect(removePassages(file, 3, 500)).toBe(true);
    add(4);
    forgetRemovedVectors(memory, (version) => version !== 3);
    expect(memory.sketches.select(() => true).total).toBe(40);
    for (const { id } of before)
      expect(memory.remembered.get(id) === undefined).toBe(versionOf(id) === 3);
    expect(search(memory)).toEqual(search(emptyMemory()));
    expect(memory.sketches.select((version) => version === 4).total).toBe(20);
  } finally {
    file.close();
    directory.remove();
  }
});

test('A thread does not read the sketches of other versions again after a removal', () => {
  const directory = temporaryDirectory();
  const tasks = createTasks(directory.path, { cacheKb: 512, vectorsKb: 512 });
  const name = 'passages.sqlite';
  const search = (removals: number) =>
    tasks
      .search(name, {
        vector: vectorOf(1, 0),
        visible: { hidden: [], last: 9 },
        limit: 9,
        removals,
      })
      .vector.map(({ version }) => version);
  try {
    for (const version of [1, 2]) {
      const passage = { ordinal: 0, text: 'A text.', page: null, headings: [], start: 0, end: 1 };
      const passages = [{ ...passage, vector: vectorOf(version, 0) }];
      tasks.add(name, version, passages, { isLast: true, fileName: undefined });
    }
    expect(search(0)).toEqual([1, 2]);
    // A thread that reads the sketch again finds a passage in it that does not exist.
    const file = openPassageFile(join(directory.path, name), { cacheKb: 512 });
    file.database.exec('update sketch set first = 7 where version = 1');
    file.close();
    expect(tasks.remove(name, 2)).toBe(true);
    expect(search(1)).toEqual([1]);
  } finally {
    tasks.close();
    directory.remove();
  }
});
