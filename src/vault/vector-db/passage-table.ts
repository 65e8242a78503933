import { type Connection, Index, MatchQuery } from '@lancedb/lancedb';
import type { EmbeddedPassage, TextStretch } from '../passage.ts';
import { keywordIndex, openTableIfAny, passageSchema } from './lance.ts';
import { createMutex, createReadGate } from './read-gate.ts';
import {
  arrowOf,
  generationsOf,
  type Hit,
  hitsOf,
  passageColumns,
  type Row,
  rowsOf,
} from './rows.ts';
import { createWordWeights } from './word-weights.ts';

const rowsOfPartition = 4096;
// The index compares seven bits of each number and nothing in full: to read the vectors of twice as many passages takes longer than
// to compare all others. Found on 100,000 hashed texts, best 100: recall 0.965; three bits and three times as many read in full had
// 0.989 in twice the time, three bits alone 0.77, graphs (HNSW) 0.77.
const bitsOfNumber = 7;
/** A generation that no writing has. */
const nobody = -1;
/**
 * Each time that rows are indexed adds a part to the index of vectors; so many, and it is made
 * anew.
 */
const indexPartsMax = 8;

/**
 * Which generations a search may see: those named, or all but those hidden that were begun before
 * it.
 */
export type Sight =
  | { only: readonly number[] }
  | { hidden: readonly number[]; last: number }
  | 'everything';
/**
 * Passages of one document: by their ordinals, or those that hold something of a stretch of its
 * text.
 */
export type PassageRange = { from: number; limit: number } | TextStretch;
/**
 * A table of fewer rows than `vectorIndexRowsMin` compares every vector: exact, and fast enough.
 */
type Opening = { name: string; dimensionsOfNew?: number | undefined; vectorIndexRowsMin: number };

/**
 * Passages of one collection in one space of vectors. Writes go one after the other; searches go on
 * beside them. Keyword search looks only at what is in the index: Lance's search of rows that are
 * not yet in it leaves out some of them and sorts wrongly (0.31.0), so `index` must have ended
 * before a generation is shown.
 */
export async function openPassageTable(
  connection: Connection,
  { name, dimensionsOfNew, vectorIndexRowsMin }: Opening,
) {
  const existing = await openTableIfAny(connection, name);
  if (!existing && dimensionsOfNew === undefined) return undefined;
  const table =
    existing ?? (await connection.createEmptyTable(name, passageSchema(dimensionsOfNew ?? 0)));
  const partsOfVectorIndex = async () =>
    (await table.listIndices()).find(({ columns }) => columns.includes('vector'))?.numSegments ?? 0;
  // A kill may have come between the two.
  if ((await table.listIndices()).length === 0)
    await table.createIndex('text', { config: keywordIndex() });
  const schema = await table.schema();
  const dimensions = Number(
    schema.fields.find((field) => field.name === 'vector')?.type.listSize ?? 0,
  );
  let isVectorIndexed = (await partsOfVectorIndex()) > 0;
  const readers = createReadGate();
  const lane = createMutex();

  const queryWords = async (text: string, sight: Sight, limit: number) => {
    const query = table
      .query()
      .fullTextSearch(new MatchQuery(text, 'text'))
      .fastSearch()
      .select([...passageColumns, '_score'])
      .limit(limit);
    return hitsOf(
      await (sight === 'everything' ? query : query.where(condition(sight))).toArrow(),
    ).sort(bestFirst);
  };
  const words = createWordWeights({
    best: async (word) => (await queryWords(word, 'everything', 1))[0],
    rows: () => table.countRows(),
    texts: async (limit) =>
      hitsOf(await table.query().select(passageColumns).limit(limit).toArrow()).map(
        ({ text }) => text,
      ),
  });

  let indexing: Promise<void> | undefined;
  const indexNow = async () => {
    indexing = undefined;
    await table.optimize();
    words.renew();
  };

  // In the lane no write is under way, so nothing that is not listed belongs to anybody.
  const removeUnlisted = () =>
    table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  const addNothing = (generation: number) =>
    table.add(
      arrowOf(
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
    add: (rows: readonly Row[]): Promise<unknown> =>
      lane(() => table.add(arrowOf(rows, dimensions))),
    /** Brings all that was added before into the indexes. Who comes while one waits shares it. */
    index: (): Promise<void> => {
      indexing ??= lane(indexNow);
      return indexing;
    },
    /**
     * Makes the index of vectors where there are enough of them; until it is there, every vector is
     * compared.
     */
    indexVectors: (): Promise<void> =>
      lane(async () => {
        const rows = await table.countRows();
        if (
          isVectorIndexed
            ? (await partsOfVectorIndex()) <= indexPartsMax
            : rows < vectorIndexRowsMin
        )
          return;
        const numPartitions = Math.max(1, Math.round(rows / rowsOfPartition));
        await table.createIndex('vector', {
          config: Index.ivfRq({
            distanceType: 'cosine',
            numPartitions,
            numBits: bitsOfNumber,
            maxIterations: 10,
          }),
        });
        isVectorIndexed = true;
      }),
    searchKeywords: (text: string, sight: Sight, limit: number): Promise<Hit[]> =>
      readers.read(() => queryWords(text, sight, limit)),
    /** Hits of another table with the scores that they would have in this one. */
    rescore: (text: string, hits: readonly Hit[]): Promise<Hit[]> =>
      readers.read(async () => (await words.rescore(text, hits)).sort(bestFirst)),
    searchVectors: (vector: Float32Array, sight: Sight, limit: number): Promise<Hit[]> =>
      readers.read(async () => {
        const near = table
          .query()
          .nearestTo(vector)
          .distanceType('cosine')
          .nprobes(10_000)
          .select([...passageColumns, '_distance']);
        // Of vectors compared in part Lance tells the square of their distance, which is twice what
        // it tells of those compared in full.
        const cosineOf = isVectorIndexed
          ? (distance: number) => 1 - distance / 2
          : (distance: number) => 1 - distance;
        const query = isVectorIndexed ? near.fastSearch() : near.bypassVectorIndex();
        return hitsOf(
          await (sight === 'everything' ? query : query.where(condition(sight)))
            .limit(limit)
            .toArrow(),
          cosineOf,
        ).sort(bestFirst);
      }),
    passages: (generation: number, asked: PassageRange): Promise<EmbeddedPassage[]> =>
      readers.read(async () => {
        const rows = rowsOf(
          await table
            .query()
            .where(`generation = ${generation} AND ${rangeCondition(asked)}`)
            .toArrow(),
        );
        return rows
          .sort((one, other) => one.ordinal - other.ordinal)
          .map(({ generation: _, ...passage }) => passage);
      }),
    rows: (generations: readonly number[]): Promise<Row[]> =>
      readers.read(async () =>
        rowsOf(
          await table
            .query()
            .where(condition({ only: generations }))
            .toArrow(),
        ),
      ),
    generations: async (): Promise<number[]> =>
      generationsOf(await table.query().select(['generation']).toArrow()),
    /**
     * Deletes rows, from the indexes as well, and then the files of all earlier versions when
     * nobody reads them any more; `tidy` takes what Lance leaves.
     */
    purge: (
      generations: readonly number[],
      tidy: () => Promise<void> = async () => undefined,
    ): Promise<void> =>
      lane(async () => {
        const [first] = generations;
        if (first === undefined) return;
        await table.delete(condition({ only: generations }));
        const { compaction } = await table.optimize();
        // Lance leaves a few deleted rows in their file until it has a second one to melt it with:
        // this one, dead from its birth. That is to write the whole table anew, so a large one
        // keeps them until it grows by the next file.
        const rows = await table.countRows();
        if (compaction.fragmentsRemoved === 0 && rows > 0 && rows < vectorIndexRowsMin) {
          await addNothing(first);
          await table.optimize();
          await table.optimize();
          await table.delete(condition({ only: [first] }));
        }
        words.renew();
        await readers.exclude(removeUnlisted);
        await tidy();
      }),
    /** Takes away what a kill has left of a writing: files that no version of the table knows. */
    removeTorn: (countFiles: () => Promise<number>): Promise<void> =>
      lane(() =>
        readers.exclude(async () => {
          await removeUnlisted();
          const { fragmentStats } = await table.stats();
          if ((await countFiles()) <= fragmentStats.numFragments) return;
          // Lance looks at its files only where it has one to take away: here it has.
          await addNothing(nobody);
          await table.delete(condition({ only: [nobody] }));
          await removeUnlisted();
        }),
      ),
    close: (): Promise<void> =>
      lane(async () => {
        await readers.drain();
        table.close();
      }),
  };
}

export type PassageTable = NonNullable<Awaited<ReturnType<typeof openPassageTable>>>;

const rangeCondition = (asked: PassageRange): string =>
  'from' in asked
    ? `ordinal >= ${asked.from} AND ordinal < ${asked.from + asked.limit}`
    : `start < ${asked.end} AND \`end\` > ${asked.start}`;

/** Made of numbers alone. */
function condition(sight: Exclude<Sight, 'everything'>): string {
  if ('only' in sight) return within(sight.only);
  const begun = `generation <= ${sight.last}`;
  return sight.hidden.length === 0 ? begun : `${begun} AND NOT (${within(sight.hidden)})`;
}

/**
 * What is moved together has numbers that follow each other: thousands of them are a few ranges.
 */
function within(generations: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const generation of generations.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && generation <= range[1] + 1) range[1] = generation;
    else ranges.push([generation, generation]);
  }
  const single = ranges.flatMap(([from, to]) => (from === to ? [from] : []));
  const wide = ranges.flatMap(([from, to]) =>
    from === to ? [] : [`(generation >= ${from} AND generation <= ${to})`],
  );
  return (
    [...(single.length > 0 ? [`generation IN (${single.join(', ')})`] : []), ...wide].join(
      ' OR ',
    ) || 'false'
  );
}

const bestFirst = (one: Hit, other: Hit) =>
  other.score - one.score || one.generation - other.generation || one.ordinal - other.ordinal;
