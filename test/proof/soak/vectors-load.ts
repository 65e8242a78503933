import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashingEmbedder } from '../../../src/vault/embed/embedder.ts';
import { embedByHashing } from '../../../src/vault/embed/hashing.ts';
import type { EmbeddedPassage } from '../../../src/vault/passage.ts';
import type { VectorDbClient } from '../../../src/vault/vector-db/client.ts';

export type LoadSize = { documents: number; passagesMax: number };

/** A word that all passages of a version of a document have, and no others. */
type Version = { marker: string; passages: EmbeddedPassage[] };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const collection = 'library';
const writeEveryMs = 150;
const deleteEveryMs = 2_500;
const searchEveryMs = 50;

/** How large the index of words becomes depends on the text, so it is a natural one. */
const naturalText = globSync('docs/**/*.md', { cwd: root })
  .sort()
  .map((name) => readFileSync(join(root, name), 'utf8'))
  .join('\n');
const passageUnits = 1_500;

function pickText(random: () => number): string {
  const start = Math.floor(random() * (naturalText.length - passageUnits));
  return naturalText.slice(start, start + passageUnits).toWellFormed();
}

type LoadOptions = {
  client: VectorDbClient;
  size: LoadSize;
  random: () => number;
};

/** Reads documents in, replaces, deletes and searches them, and knows what must be found. */
export function createMixedLoad({ client, size, random }: LoadOptions) {
  const names = Array.from({ length: size.documents }, (_, index) => `document-${index}`);
  const live = new Map<string, Version>();
  /** When the text with a marker was replaced or deleted. */
  const removedAt = new Map<string, number>();
  const counts = { writes: 0, deletions: 0, searches: 0 };
  const faults: string[] = [];
  let markers = 0;

  const newVersion = (): Version => {
    markers += 1;
    const marker = `qv${markers.toString(36)}x${Math.floor(random() * 2 ** 31).toString(36)}`;
    const passages = Array.from(
      { length: 1 + Math.floor(random() * size.passagesMax) },
      (_, ordinal) => passageOf(`${marker} ${pickText(random)}`, ordinal),
    );
    return { marker, passages };
  };
  const remove = (document: string) => {
    const version = live.get(document);
    live.delete(document);
    if (version) removedAt.set(version.marker, performance.now());
  };
  const pickName = () => names[Math.floor(random() * names.length)] ?? '';
  const pickLive = () => [...live][Math.floor(random() * live.size)];

  const pickMissing = () => names.find((document) => !live.has(document));
  const write = async (document: string) => {
    const version = newVersion();
    const { marker, passages } = version;
    await client.put(
      collection,
      document,
      { hash: 'd'.repeat(64), embedding: hashingEmbedder.name, facts: {} },
      iterate(passages),
    );
    counts.writes += 1;
    remove(document);
    live.set(document, { marker, passages });
  };
  const deleteOne = async () => {
    const [document] = pickLive() ?? [];
    if (document === undefined) return;
    await client.remove(collection, document);
    counts.deletions += 1;
    remove(document);
  };
  const search = async () => {
    const [document, version] = pickLive() ?? [];
    const passage = version?.passages[Math.floor(random() * version.passages.length)];
    if (document === undefined || !version || !passage) return;
    // Other passages can have the same sentences more often, so the words of the text would not tell
    // which document is meant.
    const { keyword } = await client.search(collection, {
      ...{ text: version.marker, limit: 5 },
      vectors: { [hashingEmbedder.name]: embedByHashing(passage.text.slice(40, 120)) },
    });
    counts.searches += 1;
    const isFound = keyword.some((hit) => hit.document === document);
    if (!isFound && live.get(document) === version) faults.push(`${document} was not found`);
  };

  const repeat = async (everyMs: number, signal: AbortSignal, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => faults.push(String(error)));
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    counts,
    faults,
    removedAt,
    /** Reads all documents in for the first time. */
    async fill(): Promise<void> {
      for (const document of names) await write(document);
    },
    /** The text and the vectors of what is stored now. */
    liveBytes: () =>
      [...live.values()]
        .flatMap(({ passages }) => passages)
        .reduce(
          (sum, passage) => sum + Buffer.byteLength(passage.text) + passage.vector.byteLength,
          0,
        ),
    async run(signal: AbortSignal): Promise<void> {
      // Writes and deletions take turns, so that it is known which version is live.
      let lastDeletion = performance.now();
      const change = async () => {
        if (performance.now() - lastDeletion < deleteEveryMs)
          return write(pickMissing() ?? pickName());
        lastDeletion = performance.now();
        return deleteOne();
      };
      await Promise.all([
        repeat(writeEveryMs, signal, change),
        repeat(searchEveryMs, signal, search),
      ]);
    },
  };
}

const passageOf = (text: string, ordinal: number): EmbeddedPassage => ({
  ...{ ordinal, text, page: null, headings: [] },
  ...{ start: ordinal * 2_000, end: ordinal * 2_000 + text.length, vector: embedByHashing(text) },
});

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
