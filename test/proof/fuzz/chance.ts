import fc from 'fast-check';

export type Chance = ReturnType<typeof chanceOf>;

/** The luck of one request: the same for the same seed and number, whatever came before it. */
export function chanceOf(seed: number, index: number) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
  // mulberry32: small, and good enough to spread.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    /** True in so many of a hundred cases. */
    percent: (share: number): boolean => next() * 100 < share,
    pick<T>(from: readonly T[]): T {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error('there is nothing to pick from');
      return picked;
    },
    text(length: number, letters = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
      return Array.from({ length }, () => letters[below(letters.length)]).join('');
    },
    of<T>(values: fc.Arbitrary<T>): T {
      const [value] = fc.sample(values, { seed: below(2 ** 31), numRuns: 1 });
      return value as T;
    },
  };
}
