import { performance } from 'node:perf_hooks';
import { percentile } from '../../bench/statistics.ts';

/**
 * What is there for somebody else, and what is not there at all, twice: the difference between
 * these two is noise.
 */
export type Group = 'theirs' | 'unknown' | 'unknownToo';
export type Samples = Record<Group, number[]>;

export type Ask = (group: Group, round: number) => Promise<void>;

const groups: readonly Group[] = ['theirs', 'unknown', 'unknownToo'];
const quartiles = [25, 50, 75];
const splits = 200;
const marginMs = 0.2;

/** A number from 0 to below 1 at each call, the same ones for the same seed (xorshift32). */
export function chanceFrom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
}

export function shuffled<T>(items: readonly T[], chance: () => number): T[] {
  const drawn = [...items];
  for (let last = drawn.length - 1; last > 0; last -= 1) {
    const other = Math.floor(chance() * (last + 1));
    [drawn[last], drawn[other]] = [drawn[other] as T, drawn[last] as T];
  }
  return drawn;
}

/**
 * Asks for one of each group in every round, in an order that is drawn anew. The first rounds are
 * for getting warm.
 */
export async function sampled(
  rounds: number,
  chance: () => number,
  ask: Ask,
  prepare?: () => Promise<void>,
): Promise<Samples> {
  const samples: Samples = { theirs: [], unknown: [], unknownToo: [] };
  const warmUp = Math.ceil(rounds / 20);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const group of shuffled(groups, chance)) {
      await prepare?.();
      const startedAt = performance.now();
      await ask(group, round);
      if (round >= warmUp) samples[group].push(performance.now() - startedAt);
    }
  }
  return samples;
}

export type Comparison = {
  part: number;
  differenceMs: number;
  noiseMs: number;
  limitMs: number;
  medianMs: number;
  ratio: number;
};

/**
 * How far what is theirs lies from what is unknown, beside how far two halves of the unknown do: in
 * the quartile where it is farthest for its noise. The lower one has the least of it on a machine
 * that does other things as well.
 */
export function compared(
  { theirs, unknown, unknownToo }: Samples,
  chance: () => number,
): Comparison {
  const nobodys = [...unknown, ...unknownToo];
  const halves = Array.from({ length: splits }, () => {
    const mixed = shuffled(nobodys, chance);
    return [mixed.slice(0, theirs.length), mixed.slice(theirs.length)] as const;
  });
  const byQuartile = quartiles.map((part) => {
    const apart = (some: number[], others: number[]) =>
      Math.abs(percentile(some, part) - percentile(others, part));
    const differenceMs = apart(theirs, nobodys);
    const noise = halves.map(([some, others]) => apart(some, others));
    const noiseMs = percentile(noise, 95);
    const limitMs = Math.max(3 * noiseMs, marginMs);
    return {
      part,
      differenceMs,
      noiseMs,
      limitMs,
      medianMs: percentile(nobodys, 50),
      ratio: differenceMs / limitMs,
    };
  });
  return byQuartile.reduce((worst, one) => (one.ratio > worst.ratio ? one : worst));
}
