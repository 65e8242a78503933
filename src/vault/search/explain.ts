import type { Candidate, Ranked } from './fuse.ts';

type LeftOut = {
  passage: Ranked;
  reason: 'NEAR_DUPLICATE' | 'BELOW_LIMIT';
  like: Pick<Candidate, 'document' | 'ordinal'> | null;
};
export type Explanation = ReturnType<typeof createExplanation>;

/** Of each reason so many are told with their text; all are counted. */
const toldMax = 25;

/**
 * Notes what a search leaves out, for people who want to know why a passage came and another did
 * not.
 */
export function createExplanation({
  keyword,
  vector,
}: {
  keyword: readonly unknown[];
  vector: readonly unknown[];
}) {
  const duplicates: LeftOut[] = [];
  return {
    drop(candidate: Candidate, { document, ordinal }: Candidate): void {
      duplicates.push({
        passage: { ...candidate, rerank: null },
        reason: 'NEAR_DUPLICATE',
        like: { document, ordinal },
      });
    },
    /** `below` are those that stayed and that nobody is shown, best first. */
    tell({ distinct, below }: { distinct: number; below: readonly Ranked[] }) {
      const late = below.map(
        (passage): LeftOut => ({ passage, reason: 'BELOW_LIMIT', like: null }),
      );
      return {
        candidates: { keyword: keyword.length, vector: vector.length, distinct },
        nearDuplicates: duplicates.length,
        belowLimit: late.length,
        leftOut: [...late.slice(0, toldMax), ...duplicates.slice(0, toldMax)],
      };
    },
  };
}
