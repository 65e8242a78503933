import { AppError, notFound } from '../../../platform/errors.ts';
import type { CollectionState, DocumentCatalog } from '../catalog.ts';
import type { PassageQuery, SearchHits } from '../passage-store.ts';
import { toPassage } from './passage-tables.ts';
import type { Removals } from './removals.ts';
import { searchVectors } from './search-vectors.ts';
import { searchWords, type WordCounter } from './search-words.ts';
import { keyOf, type Spaces } from './spaces.ts';
import type { Query, Transactions } from './transactions.ts';
import type { VectorIndexes } from './vector-indexes.ts';
import type { VisibleGenerations } from './visible-generations.ts';

type SearchDependencies = {
  transactions: Transactions;
  catalog: DocumentCatalog;
  spaces: Spaces;
  removals: Removals;
  vectorIndexes: VectorIndexes;
  countWords: WordCounter;
  lastGeneration: () => number;
};

/** Searches the embedding spaces of a collection in its state at one moment. */
export async function searchCollection(
  collection: string,
  search: PassageQuery,
  dependencies: SearchDependencies,
): Promise<SearchHits> {
  const { transactions, catalog, spaces } = dependencies;
  const state = catalog.collections.get(collection);
  if (!state) throw notFound('Collection');
  // From here to the first await nothing can change.
  const embeddings = [
    ...new Set([...state.partitions.values()].map(({ embedding }) => embedding)),
  ].sort();
  const searches = embeddings.flatMap((embedding) => {
    const space = spaces.find({ collection, embedding });
    const vector = search.vectors.get(embedding);
    if (!space) return [];
    if (vector && vector.length !== space.dimensions)
      throw new AppError('BAD_INPUT', `vectors.${embedding} must have ${space.dimensions} numbers`);
    const { visible, passages } = visibleOf(collection, embedding, state, search, dependencies);
    return passages === 0 ? [] : [{ embedding, space, vector, visible, passages }];
  });
  const hits: Omit<SearchHits, 'embeddings'> = { keyword: [], vector: [] };
  const id = spaces.collectionOf(collection);
  if (id !== undefined && searches.length > 0)
    await transactions.read(id, async (query: Query) => {
      const { limit, text } = search;
      const toHit = (row: Record<string, unknown>) => ({
        document: catalog.documentOf(Number(row['generation'])) ?? '',
        ...toPassage(row),
        // The distance to a vector of zeros is not a number.
        score: Number(row['score']) || 0,
      });
      for (const { embedding, space, vector, visible, passages } of searches) {
        if (text !== undefined) {
          const input = { text, visible, limit };
          const rows = await searchWords(query, space, input, dependencies.countWords);
          hits.keyword.push(...rows.map(toHit));
        }
        if (vector) {
          const isIndexed = dependencies.vectorIndexes.isUsed(space, passages);
          const rows = await searchVectors(query, space, { vector, visible, limit, isIndexed });
          hits.vector.push(...rows.map((row) => ({ ...toHit(row), embedding })));
        }
      }
    });
  const best = <T extends { score: number }>(found: T[]) =>
    found.sort((a, b) => b.score - a.score).slice(0, search.limit);
  return { embeddings, keyword: best(hits.keyword), vector: best(hits.vector) };
}

/** The generations of an embedding space that a search sees, and the number of their passages. */
function visibleOf(
  collection: string,
  embedding: string,
  state: CollectionState,
  { documents }: PassageQuery,
  { removals, lastGeneration }: SearchDependencies,
): { visible: VisibleGenerations; passages: number } {
  const key = keyOf({ collection, embedding });
  if (!documents)
    return {
      visible: { hidden: [...removals.hiddenIn(key)], last: lastGeneration() },
      passages: state.partitions.get(key)?.passages ?? 0,
    };
  const records = [...new Set(documents)].flatMap((name) => {
    const record = state.documents.get(name);
    return record?.embedding === embedding ? [record] : [];
  });
  return {
    visible: { allowed: records.map(({ generation }) => generation) },
    passages: records.reduce((sum, { passages }) => sum + passages, 0),
  };
}
