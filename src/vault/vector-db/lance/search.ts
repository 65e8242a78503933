import { AppError, notFound } from '../../../platform/errors.ts';
import type { CollectionState, PartitionKey } from '../catalog.ts';
import type { PassageQuery, SearchHits } from '../passage-store.ts';
import type { GenerationFilter } from './conditions.ts';
import type { PassageTable } from './passage-table.ts';
import type { PassageHit } from './rows.ts';

/** What a search needs of the store. */
export type SearchedStore = {
  collections: ReadonlyMap<string, CollectionState>;
  documentOf: (generation: number) => string | undefined;
  tableOf: (key: PartitionKey) => Promise<PassageTable | undefined>;
  hiddenGenerations: (key: PartitionKey) => number[];
  lastGeneration: () => number;
};

/**
 * Searches a collection by keyword and by vector, in all its embedding spaces, in its state at one
 * moment.
 */
export async function search(
  store: SearchedStore,
  collection: string,
  { text, vectors, limit, documents }: PassageQuery,
): Promise<SearchHits> {
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

  const toDocumentHit = ({ generation, ...hit }: PassageHit) => ({
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
