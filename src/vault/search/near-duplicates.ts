import { wordsOf } from '../embed/words.ts';

/** Words in a row that are compared at once. */
const shingleWords = 4;
/** Passages that follow each other in a document share 15 % and are far below. */
const likenessMin = 0.8;

type Print = { shingles: ReadonlySet<string>; numbers: string };
type Kept<T> = { passage: T; print: Print };

/**
 * Gives the passages in their order without those that say what a better one has said: the same
 * words, or nearly. Texts with other numbers are never the same, so that a table's rows and last
 * year's prices stay.
 */
export function* withoutNearDuplicates<T extends { text: string }>(
  passages: Iterable<T>,
  onDuplicate: (dropped: T, better: T) => void,
): Generator<T> {
  const kept: Kept<T>[] = [];
  for (const passage of passages) {
    const print = printOf(passage.text);
    const better = kept.find((other) => isSame(print, other.print));
    if (better) {
      onDuplicate(passage, better.passage);
      continue;
    }
    kept.push({ passage, print });
    yield passage;
  }
}

function printOf(text: string): Print {
  const { units, starts, ends } = wordsOf(text);
  const words = starts.map((start, at) => String.fromCharCode(...units.subarray(start, ends[at])));
  const shingles = new Set<string>();
  for (let at = 0; at + shingleWords <= words.length; at++)
    shingles.add(words.slice(at, at + shingleWords).join(' '));
  if (shingles.size === 0) shingles.add(words.join(' '));
  return { shingles, numbers: words.filter((word) => /\d/.test(word)).join(' ') };
}

function isSame(one: Print, other: Print): boolean {
  const [small, large] =
    one.shingles.size < other.shingles.size
      ? [one.shingles, other.shingles]
      : [other.shingles, one.shingles];
  if (one.numbers !== other.numbers || small.size < large.size * likenessMin) return false;
  // As soon as too many are missing the answer is known: two hundred passages are compared each
  // with each.
  const missingMax = small.size - ((small.size + large.size) * likenessMin) / (1 + likenessMin);
  let missing = 0;
  for (const shingle of small) if (!large.has(shingle) && ++missing > missingMax + 1) return false;
  const shared = small.size - missing;
  return shared / (small.size + large.size - shared) >= likenessMin;
}
