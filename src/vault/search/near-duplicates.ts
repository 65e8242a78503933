import { wordsOf } from '../../platform/language/word-units.ts';

/** The number of consecutive words in a shingle. */
const shingleWords = 4;
/** Consecutive passages of a document share 15 % of their text, which is far below this. */
const similarityMin = 0.8;

type Fingerprint = { shingles: ReadonlySet<string>; numbers: string };
type DistinctPassage<T> = { passage: T; fingerprint: Fingerprint };

/**
 * Yields the passages in their order, except those with nearly the same words as a better one.
 * Passages with different numbers are never duplicates, so that rows of a table and last year's
 * prices stay.
 */
export function* withoutNearDuplicates<T extends { text: string }>(
  passages: Iterable<T>,
  onDuplicate: (dropped: T, better: T) => void,
): Generator<T> {
  const distinct: DistinctPassage<T>[] = [];
  for (const passage of passages) {
    const fingerprint = fingerprintOf(passage.text);
    const better = distinct.find((earlier) => isNearDuplicate(fingerprint, earlier.fingerprint));
    if (better) {
      onDuplicate(passage, better.passage);
      continue;
    }
    distinct.push({ passage, fingerprint });
    yield passage;
  }
}

function fingerprintOf(text: string): Fingerprint {
  const { units, starts, ends } = wordsOf(text);
  const words = starts.map((start, at) => String.fromCharCode(...units.subarray(start, ends[at])));
  const shingles = new Set<string>();
  for (let at = 0; at + shingleWords <= words.length; at++)
    shingles.add(words.slice(at, at + shingleWords).join(' '));
  if (shingles.size === 0) shingles.add(words.join(' '));
  return { shingles, numbers: words.filter((word) => /\d/.test(word)).join(' ') };
}

function isNearDuplicate(a: Fingerprint, b: Fingerprint): boolean {
  const [small, large] =
    a.shingles.size < b.shingles.size ? [a.shingles, b.shingles] : [b.shingles, a.shingles];
  if (a.numbers !== b.numbers || small.size < large.size * similarityMin) return false;
  // The loop stops as soon as too many shingles are missing, because up to two hundred passages are
  // compared with each other.
  const missingMax = small.size - ((small.size + large.size) * similarityMin) / (1 + similarityMin);
  let missing = 0;
  for (const shingle of small) if (!large.has(shingle) && ++missing > missingMax + 1) return false;
  const shared = small.size - missing;
  return shared / (small.size + large.size - shared) >= similarityMin;
}
