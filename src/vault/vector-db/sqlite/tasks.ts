import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EmbeddedPassage, TextRange } from '../../passage.ts';
import { indexedWords, titleOf } from '../words.ts';
import {
  addPassages,
  mergeStep,
  openPassageFile,
  type PassageFile,
  removePassages,
} from './passage-file.ts';
import { openRegistryFile, type RegistryChange, type RegistryFile } from './registry-file.ts';
import { createVectorMemory } from './remembered-vectors.ts';
import {
  passagesById,
  passagesInRange,
  type ScoredPassage,
  type StoredPassage,
  type VisibleVersions,
  versionsIn,
} from './search-file.ts';
import { type FileMemory, forgetRemovedVectors, searchVectors } from './search-vectors.ts';
import { forgetRemovedWords, searchWords } from './search-words.ts';
import { createSketchMemory, type SketchMemory } from './sketch-memory.ts';
import { upgradeStep } from './upgrade-file.ts';

const openFilesMax = 48;
const passagesPerRemoval = 500;

export type FileSearch = {
  text?: string | undefined;
  vector?: Float32Array | undefined;
  visible: VisibleVersions;
  limit: number;
  /** How often passages of this file have been removed. */
  removals: number;
};
export type FileHit = StoredPassage & { score: number };

/**
 * What the threads of the vector database do with its files. Each thread has connections of its own,
 * of which it closes the one that was not used for longest when it has too many.
 */
export function createTasks(
  directory: string,
  { cacheKb, vectorsKb }: { cacheKb: number; vectorsKb: number },
) {
  const files = new Map<string, PassageFile>();
  const sketchMemories = new Map<string, { sketches: SketchMemory; removals: number }>();
  const vectors = createVectorMemory(vectorsKb * 1024);
  let registry: RegistryFile | undefined;

  const registryFile = () => {
    registry ??= openRegistryFile(join(directory, registryName));
    return registry;
  };
  const close = (name: string) => {
    files.get(name)?.close();
    files.delete(name);
    sketchMemories.delete(name);
    vectors.forget(name);
  };
  const open = (name: string): PassageFile => {
    const file = files.get(name) ?? openPassageFile(join(directory, name), { cacheKb });
    files.delete(name);
    files.set(name, file);
    const [oldest] = files.keys();
    if (files.size > openFilesMax && oldest !== undefined) close(oldest);
    return file;
  };
  /** Forgets first what has been removed since the last search of this thread. */
  const memoryOf = (name: string, removals: number, dimensions: number): FileMemory => {
    const known = sketchMemories.get(name);
    const sketches = known?.sketches ?? createSketchMemory(dimensions);
    sketchMemories.set(name, { sketches, removals });
    const memory = { sketches, remembered: vectors.of(name) };
    if (known && known.removals !== removals) {
      const file = open(name);
      const stored = new Set(versionsIn(file));
      const isStored = (version: number) => stored.has(version);
      forgetRemovedWords(file, isStored);
      forgetRemovedVectors(memory, isStored);
    }
    return memory;
  };

  return {
    documents: () => registryFile().documents(),
    commit: (changes: readonly RegistryChange[]) => registryFile().commit(changes),
    isCurrent: (): boolean => registryFile().isCurrent(),
    setCurrent: (): void => registryFile().setCurrent(),
    reserveGenerations: (count: number) => registryFile().reserveGenerations(count),

    /** Returns the dimensions of the file if they are others than those of the passages. */
    add: (
      name: string,
      version: number,
      passages: readonly EmbeddedPassage[],
      { isLast, fileName }: { isLast: boolean; fileName: string | undefined },
    ): number | undefined =>
      addPassages(
        open(name),
        version,
        passages.map((passage) => ({
          ...passage,
          words: indexedWords(passage.text, titleOf(fileName, passage.headings)),
        })),
        { isLast },
      ),
    /** One step of making a file of an earlier version current. Returns whether it is. */
    upgrade: (name: string, fileNames: ReadonlyMap<number, string>): boolean =>
      upgradeStep(open(name), (version) => fileNames.get(version)),
    versions: (name: string): number[] => versionsIn(open(name)),
    /** Removes some passages of a version. Returns whether the version is gone. */
    remove: (name: string, version: number): boolean =>
      removePassages(open(name), version, passagesPerRemoval),
    merge: (name: string, isFirst: boolean): boolean => mergeStep(open(name), { isFirst }),
    /** Deletes a file in which nothing is live and to which nothing is being written. */
    deleteFile: (name: string) => {
      close(name);
      for (const suffix of ['', '-wal', '-shm'])
        rmSync(join(directory, name + suffix), { force: true });
    },

    search: (
      name: string,
      { text, vector, visible, limit, removals }: FileSearch,
    ): { dimensions: number; keyword: FileHit[]; vector: FileHit[] } => {
      const file = open(name);
      const dimensions = file.numberOf('select dimensions from space');
      if (vector && vector.length !== dimensions) return { dimensions, keyword: [], vector: [] };
      const memory = memoryOf(name, removals, dimensions);
      const keyword = text === undefined ? [] : searchWords(file, text, visible, limit);
      const nearest = vector ? searchVectors(file, memory, vector, visible, limit) : [];
      const passages = passagesById(file, [
        ...new Set([...keyword, ...nearest].map(({ id }) => id)),
      ]);
      const toHits = (scored: readonly ScoredPassage[]) =>
        scored.flatMap(({ id, score }) => {
          const passage = passages.get(id);
          return passage ? [{ ...passage, score }] : [];
        });
      return { dimensions, keyword: toHits(keyword), vector: toHits(nearest) };
    },
    passages: (name: string, version: number, range: { from: number; limit: number } | TextRange) =>
      passagesInRange(open(name), version, range),
    /** Opens the registry anew: an open file can still be read after its directory has gone. */
    ping: () => {
      const database = new DatabaseSync(join(directory, registryName), { readOnly: true });
      try {
        database.prepare('select reserved from generation').get();
      } finally {
        database.close();
      }
    },
    close: () => {
      for (const name of [...files.keys()]) close(name);
      registry?.close();
      registry = undefined;
    },
  };
}

const registryName = 'registry.sqlite';
export type Tasks = ReturnType<typeof createTasks>;
