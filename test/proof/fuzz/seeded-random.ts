import fc from 'fast-check';
import { mulberry32 } from '../../support/mulberry32.ts';

export type SeededRandom = ReturnType<typeof seededRandom>;

/** Random values for one request; they depend only on the seed and on the number of the request. */
export function seededRandom(seed: number, index: number) {
  const next = mulberry32(
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35),
  );
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    /** True with a probability of `share` percent. */
    percent: (share: number): boolean => next() * 100 < share,
    pick<T>(items: readonly T[]): T {
      const picked = items[below(items.length)];
      if (picked === undefined) throw new Error('the list to pick from is empty');
      return picked;
    },
    text(length: number, letters = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
      return Array.from({ length }, () => letters[below(letters.length)]).join('');
    },
    sample<T>(values: fc.Arbitrary<T>): T {
      const [value] = fc.sample(values, { seed: below(2 ** 31), numRuns: 1 });
      return value as T;
    },
  };
}
