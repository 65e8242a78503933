import { z } from 'zod';
import { AppError, notFound } from '../../platform/errors.ts';
import type { GenerationFilter } from './passage-table.ts';
import type { PassageHit } from './rows.ts';
import type { PassageStore } from './store.ts';
import { decodeVector, formatIssues } from './vector.ts';

const textUnitsMax = 4_000;
const input = z.object({
  text: z
    .string()
    .max(textUnitsMax)
    .refine((text) => !text.includes('\0'), 'must not hold NUL')
    .optional(),
  vectors: z.record(z.string(), z.string()).default({}),
  limit: z.int().min(1).max(200),
  documents: z.array(z.string()).max(1_000).optional(),
});

type DocumentHit = Omit<PassageHit, 'generation'> & { document: string };

/**
 * Searches a collection by keyword and by vector, in all its embedding spaces, in its state at one
 * moment.
 */
export async function search(
  store: PassageStore,
  collection: string,
  body: Record<string, unknown>,
) {
  const { data, error } = input.safeParse(body);
  if (!data) throw new AppError('BAD_INPUT', formatIssues(error));
  const { text, limit, documents } = data;
  const state = store.collections.get(collection);
  if (!state) throw notFound('Collection');

  // From here to the first await nothing can change: the answer shows the state at this moment.
  const lastGeneration = store.lastGeneration();
  const partitions = [...state.partitions.values()].sort((a, b) => b.passages - a.passages);
  const embeddings = [...new Set(partitions.map(({ embedding }) => embedding))].sort();
  const tables = partitions.map((key) => {
    const allowed = documents?.flatMap((document) => {
      const record = state.documents.get(document);
      return record?.embedding === key.embedding && record.isRecent === key.isRecent
        ? [record.generation]
        : [];
    });
    const hidden = store.hiddenGenerations(key);
    const filter: GenerationFilter = allowed
      ? { allowed: [...new Set(allowed)] }
      : hidden.length > 0
        ? { hidden, lastGeneration }
        : 'everything';
    return {
      embedding: key.embedding,
      filter,
      strictFilter: { hidden, lastGeneration },
      table: store.tableOf(key),
    };
  });

  const vectors = new Map(
    Object.entries(data.vectors).map(([embedding, vector]) => [
      embedding,
      decodeVector(vector, `vectors.${embedding}`),
    ]),
  );
  const toDocumentHit = ({ generation, ...hit }: PassageHit): DocumentHit => ({
    document: store.documentOf(generation) ?? '',
    ...hit,
  });

  const perTable = await Promise.all(
    tables.map(async ({ embedding, filter, strictFilter, table: openingTable }, index) => {
      const table = await openingTable;
      if (!table || (filter !== 'everything' && 'allowed' in filter && filter.allowed.length === 0))
        return { keyword: [], vector: [] };
      const vector = vectors.get(embedding);
      if (vector && vector.length !== table.dimensions)
        throw new AppError(
          'BAD_INPUT',
          `vectors.${embedding} must have ${table.dimensions} numbers`,
        );
      // If nothing was hidden, the first query has no filter. If a write has begun since, its rows
      // can be among the hits, and the query is repeated with a filter.
      const searchAt = async (runSearch: (filter: GenerationFilter) => Promise<PassageHit[]>) => {
        const hits = await runSearch(filter);
        return hits.every(({ generation }) => generation <= lastGeneration)
          ? hits
          : runSearch(strictFilter);
      };
      const keywordHits = async () => {
        if (text === undefined) return [];
        const hits = await searchAt((filter) => table.searchKeywords(text, filter, limit));
        const largest = index === 0 || hits.length === 0 ? undefined : await tables[0]?.table;
        return largest ? largest.rescore(text, hits) : hits;
      };
      const [keyword, vectorHits] = await Promise.all([
        keywordHits(),
        vector === undefined
          ? []
          : searchAt((filter) => table.searchVectors(vector, filter, limit)),
      ]);
      return {
        keyword: keyword.map(toDocumentHit),
        vector: vectorHits.map((hit) => ({ ...toDocumentHit(hit), embedding })),
      };
    }),
  );
  const bestOf = <T extends { score: number }>(hits: T[]) =>
    hits.sort((a, b) => b.score - a.score).slice(0, limit);
  return {
    embeddings,
    keyword: bestOf(perTable.flatMap(({ keyword }) => keyword)),
    vector: bestOf(perTable.flatMap(({ vector }) => vector)),
  };
}
