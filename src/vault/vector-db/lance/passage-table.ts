import { type Connection, Index, MatchQuery } from '@lancedb/lancedb';
import { createMutex } from '../../../platform/mutex.ts';
import type { EmbeddedPassage } from '../../passage.ts';
import type { PassageRange } from '../passage-store.ts';
import { createReadGate } from '../read-gate.ts';
import { filterCondition, type GenerationFilter, rangeCondition } from './conditions.ts';
import { keywordIndex, openTableIfAny, passageSchema } from './lance.ts';
import {
  generationsOf,
  type PassageHit,
  type PassageRow,
  passageColumns,
  toArrowTable,
  toHits,
  toRows,
} from './rows.ts';
import { createWordWeights } from './word-weights.ts';

const rowsPerPartition = 4096;
// The index compares seven bits of each number and never reads full vectors: refining the results
// with the full vectors of twice as many passages takes longer than the whole search. Measured as
// recall of the best 100 among 100,000 hashed texts: seven bits 0.965; three bits, refined with the
// full vectors of three times as many passages, 0.989 in twice the time; three bits alone 0.77; a
// graph index (HNSW) 0.77.
const bitsPerNumber = 7;
/**
 * Each indexing of new rows adds a part to the vector index. With more parts than this the index is
 * rebuilt.
 */
const indexPartsMax = 8;

/**
 * A table with fewer rows than `vectorIndexRowsMin` has no vector index: comparing every vector is
 * exact and fast enough.
 */
type PassageTableOptions = {
  name: string;
  newTableDimensions?: number | undefined;
  vectorIndexRowsMin: number;
};

/**
 * The passages of one collection in one embedding space. Writes run one at a time; searches run
 * concurrently with them. Keyword search uses only indexed rows, because Lance's search of rows that
 * are not indexed misses some of them and sorts wrongly (0.31.0). So `index` must have ended before a
 * generation becomes visible.
 */
export async function openPassageTable(
  connection: Connection,
  { name, newTableDimensions, vectorIndexRowsMin }: PassageTableOptions,
) {
  const existing = await openTableIfAny(connection, name);
  if (!existing && newTableDimensions === undefined) return undefined;
  const table =
    existing ?? (await connection.createEmptyTable(name, passageSchema(newTableDimensions ?? 0)));
  const countVectorIndexParts = async () =>
    (await table.listIndices()).find(({ columns }) => columns.includes('vector'))?.numSegments ?? 0;
  // A kill between the creation of the table and of its index leaves a table without an index.
  if ((await table.listIndices()).length === 0)
    await table.createIndex('text', { config: keywordIndex() });
  const schema = await table.schema();
  const dimensions = Number(
    schema.fields.find((field) => field.name === 'vector')?.type.listSize ?? 0,
  );
  let isVectorIndexed = (await countVectorIndexParts()) > 0;
  const readGate = createReadGate();
  const withLock = createMutex();

  const queryWords = async (text: string, filter: GenerationFilter, limit: number) => {
    const query = table
      .query()
      .fullTextSearch(new MatchQuery(text, 'text'))
      .fastSearch()
      .select([...passageColumns, '_score'])
      .limit(limit);
    return toHits(
      await (filter === 'everything' ? query : query.where(filterCondition(filter))).toArrow(),
    ).sort(bestFirst);
  };
  const wordWeights = createWordWeights({
    bestHit: async (word) => (await queryWords(word, 'everything', 1))[0],
    rows: () => table.countRows(),
    texts: async (limit) =>
      toHits(await table.query().select(passageColumns).limit(limit).toArrow()).map(
        ({ text }) => text,
      ),
  });

  let indexing: Promise<void> | undefined;
  const indexNow = async () => {
    indexing = undefined;
    await table.optimize();
    wordWeights.reset();
  };

  // Call this only with the lock: no write is running then, so no file that the table versions do
  // not list is in use.
  const removeUnlisted = () =>
    table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  const addPlaceholder = (generation: number) =>
    table.add(
      toArrowTable(
        [
          {
            generation,
            ordinal: 0,
            text: '',
            page: null,
            headings: [],
            start: 0,
            end: 0,
            vector: new Float32Array(dimensions).fill(1),
          },
        ],
        dimensions,
      ),
    );

  return {
    name,
    dimensions,
    add: (rows: readonly PassageRow[]): Promise<unknown> =>
      withLock(() => table.add(toArrowTable(rows, dimensions))),
    /** Indexes all rows added so far. Calls that arrive before an indexing starts share it. */
    index: (): Promise<void> => {
      indexing ??= withLock(indexNow);
      return indexing;
    },
    /**
     * Builds the vector index if the table has enough rows, and rebuilds it if it has too many parts.
     * Without an index a search compares every vector.
     */
    indexVectors: (): Promise<void> =>
      withLock(async () => {
        const rows = await table.countRows();
        if (
          isVectorIndexed
            ? (await countVectorIndexParts()) <= indexPartsMax
            : rows < vectorIndexRowsMin
        )
          return;
        const numPartitions = Math.max(1, Math.round(rows / rowsPerPartition));
        await table.createIndex('vector', {
          config: Index.ivfRq({
            distanceType: 'cosine',
            numPartitions,
            numBits: bitsPerNumber,
            maxIterations: 10,
          }),
        });
        isVectorIndexed = true;
      }),
    searchKeywords: (
      text: string,
      filter: GenerationFilter,
      limit: number,
    ): Promise<PassageHit[]> => readGate.read(() => queryWords(text, filter, limit)),
    /** Gives hits of another table the scores that they would have in this table. */
    rescore: (text: string, hits: readonly PassageHit[]): Promise<PassageHit[]> =>
      readGate.read(async () => (await wordWeights.rescore(text, hits)).sort(bestFirst)),
    searchVectors: (
      vector: Float32Array,
      filter: GenerationFilter,
      limit: number,
    ): Promise<PassageHit[]> =>
      readGate.read(async () => {
        const nearest = table
          .query()
          .nearestTo(vector)
          .distanceType('cosine')
          .nprobes(10_000)
          .select([...passageColumns, '_distance']);
        // For quantized vectors Lance returns the squared distance of vectors of length 1, which is
        // twice the cosine distance that it returns for full vectors.
        const cosineOf = isVectorIndexed
          ? (distance: number) => 1 - distance / 2
          : (distance: number) => 1 - distance;
        const query = isVectorIndexed ? nearest.fastSearch() : nearest.bypassVectorIndex();
        return toHits(
          await (filter === 'everything' ? query : query.where(filterCondition(filter)))
            .limit(limit)
            .toArrow(),
          cosineOf,
        ).sort(bestFirst);
      }),
    passages: (generation: number, range: PassageRange): Promise<EmbeddedPassage[]> =>
      readGate.read(async () => {
        const rows = toRows(
          await table
            .query()
            .where(`generation = ${generation} AND ${rangeCondition(range)}`)
            .toArrow(),
        );
        return rows
          .sort((a, b) => a.ordinal - b.ordinal)
          .map(({ generation: _, ...passage }) => passage);
      }),
    rows: (generations: readonly number[]): Promise<PassageRow[]> =>
      readGate.read(async () =>
        toRows(
          await table
            .query()
            .where(filterCondition({ allowed: generations }))
            .toArrow(),
        ),
      ),
    generations: async (): Promise<number[]> =>
      generationsOf(await table.query().select(['generation']).toArrow()),
    /**
     * Deletes rows from the table and its indexes. When no read is running, deletes the files of all
     * earlier versions.
     */
    purge: (generations: readonly number[]): Promise<void> =>
      withLock(async () => {
        const [first] = generations;
        if (first === undefined) return;
        await table.delete(filterCondition({ allowed: generations }));
        const { compaction } = await table.optimize();
        // Lance removes a few deleted rows from a file only by merging it with a second file. So a
        // second file is written, with one placeholder row of a dead generation. The merge rewrites
        // the whole table; in a large table the deleted rows stay until its next file is merged.
        const rows = await table.countRows();
        if (compaction.fragmentsRemoved === 0 && rows > 0 && rows < vectorIndexRowsMin) {
          await addPlaceholder(first);
          await table.optimize();
          await table.optimize();
          await table.delete(filterCondition({ allowed: [first] }));
        }
        wordWeights.reset();
        await readGate.exclude(removeUnlisted);
      }),
    close: (): Promise<void> =>
      withLock(async () => {
        await readGate.drain();
        table.close();
      }),
  };
}

export type PassageTable = NonNullable<Awaited<ReturnType<typeof openPassageTable>>>;

const bestFirst = (a: PassageHit, b: PassageHit) =>
  b.score - a.score || a.generation - b.generation || a.ordinal - b.ordinal;
