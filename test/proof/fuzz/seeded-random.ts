import fc from 'fast-check';

export type SeededRandom = ReturnType<typeof seededRandom>;

/** Random values for one request; they depend only on the seed and on the number of the request. */
export function seededRandom(seed: number, index: number) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
  // mulberry32: a small generator with a sufficient distribution.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
