import { toHalfVector } from './half-vector.ts';
import { passageColumns } from './passage-tables.ts';
import type { Space } from './spaces.ts';
import type { Query } from './transactions.ts';
import { type VisibleGenerations, visibleIn } from './visible-generations.ts';

/** So many nearest passages the index looks for, at least. With 200 the recall was 0.97. */
const candidatesMin = 400;
const candidatesMax = 1_000;

export type VectorSearch = {
  vector: Float32Array;
  visible: VisibleGenerations;
  limit: number;
  /** Whether the index of the space is used; otherwise every vector is compared. */
  isIndexed: boolean;
};

/** The nearest passages by cosine. */
export async function searchVectors(
  query: Query,
  { id: space, dimensions }: Space,
  { vector, visible, limit, isIndexed }: VectorSearch,
): Promise<Record<string, unknown>[]> {
  if (isIndexed) {
    const candidates = Math.min(candidatesMax, Math.max(candidatesMin, 4 * limit));
    // With `iterative_scan` the index goes on until enough passages are visible. Without the index
    // the statement needs a sort.
    await query(
      `select set_config('hnsw.ef_search', '${candidates}', true),
         set_config('hnsw.iterative_scan', 'relaxed_order', true),
         set_config('enable_sort', 'off', true)`,
    );
  }
  // The index has the expression with the cast, and no other statement can use it.
  const numbers = isIndexed ? `numbers::halfvec(${dimensions})` : 'numbers';
  return query(
    `select ${passageColumns}, 1 - distance as score from (
       select generation, ordinal, ${numbers} <=> $1::halfvec(${dimensions}) as distance
       from passage_vector where space = ${space} and ${visibleIn('passage_vector', visible)}
       order by distance limit ${limit}
     ) as nearest
     join passage on passage.space = ${space}
       and passage.generation = nearest.generation and passage.ordinal = nearest.ordinal`,
    [toHalfVector(vector)],
  );
}
