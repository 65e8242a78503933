import { wordsOf } from './word-units.ts';

const wordSeed = 0x811c9dc5;

/** FNV-1a over code units, then the finalizer of MurmurHash3, so that similar words differ a lot. */
export function hashOfUnits(
  units: Uint16Array,
  start: number,
  end: number,
  seed = wordSeed,
): number {
  let hash = seed;
  for (let index = start; index < end; index++)
    hash = Math.imul(hash ^ (units[index] ?? 0), 0x01000193);
  return mixHash(hash);
}

export function mixHash(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** The hash of a single word; undefined if the text is not one word. */
export function hashOfWord(word: string): number | undefined {
  const { units, starts, ends } = wordsOf(word);
  return starts.length === 1 ? hashOfUnits(units, 0, ends[0] ?? 0) : undefined;
}
