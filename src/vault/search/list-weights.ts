import { hashingSpace, meaningShareOf } from '../embed/hashing.ts';

/**
 * The weights of the vector lists of a query; the keyword list has weight 1. Vectors of a model have
 * the same weight, and hashing vectors as far as they have the meaning of the query. Otherwise they
 * contain only words: they find words with typing errors, and change nothing else.
 */
export function weightsFor(query: string): (embedding: string) => number {
  const hashingWeight = Math.max(0.1, meaningShareOf(query));
  return (embedding) => (embedding === hashingSpace.name ? hashingWeight : 1);
}
