import type { RankedCandidate, SearchCandidate } from './fuse.ts';

type OmittedPassage = {
  passage: RankedCandidate;
  reason: 'NEAR_DUPLICATE' | 'BELOW_LIMIT';
  like: Pick<SearchCandidate, 'document' | 'ordinal'> | null;
};
export type SearchExplanation = ReturnType<typeof createExplanation>;

/** The number of omitted passages listed for each reason. All omitted passages are counted. */
const listedPerReasonMax = 25;

/**
 * Records the passages that a search omits, for people who want to know why a passage was not found.
 */
export function createExplanation({
  keyword,
  vector,
}: {
  keyword: readonly unknown[];
  vector: readonly unknown[];
}) {
  const duplicates: OmittedPassage[] = [];
  return {
    recordDuplicate(candidate: SearchCandidate, { document, ordinal }: SearchCandidate): void {
      duplicates.push({
        passage: { ...candidate, rerank: null },
        reason: 'NEAR_DUPLICATE',
        like: { document, ordinal },
      });
    },
    /** `passagesBelowLimit`: distinct passages after the requested page, best first. */
    summarize({
      distinct,
      passagesBelowLimit,
    }: {
      distinct: number;
      passagesBelowLimit: readonly RankedCandidate[];
    }) {
      const belowLimit = passagesBelowLimit.map(
        (passage): OmittedPassage => ({ passage, reason: 'BELOW_LIMIT', like: null }),
      );
      return {
        candidates: { keyword: keyword.length, vector: vector.length, distinct },
        nearDuplicates: duplicates.length,
        belowLimit: belowLimit.length,
        leftOut: [
          ...belowLimit.slice(0, listedPerReasonMax),
          ...duplicates.slice(0, listedPerReasonMax),
        ],
      };
    },
  };
}
