import { fuse } from '../search/fuse.ts';
import type { SearchHits } from './passage-store.ts';
import type { BestPassages } from './search-input.ts';

/**
 * The lists with nothing but scores, and the passages that are best after fusion. A search shows
 * few of the passages in the lists, and their texts are most of an answer.
 */
export function withTextsOfBest(
  { embeddings, keyword, vector }: SearchHits,
  { passages, weights }: BestPassages,
) {
  const best = fuse({ keyword, vector }, (embedding) => weights[embedding] ?? 1);
  return {
    embeddings,
    keyword: keyword.map(({ document, ordinal, score }) => ({ document, ordinal, score })),
    vector: vector.map(({ document, ordinal, score, embedding }) => ({
      ...{ document, ordinal, score, embedding },
    })),
    passages: best
      .slice(0, passages)
      .map(({ document, ordinal, text, page, headings, start, end }) => ({
        ...{ document, ordinal, text, page, headings, start, end },
      })),
  };
}
