import { performance } from 'node:perf_hooks';
import { percentile } from '../../bench/statistics.ts';

/**
 * Requests for an existing object of another tenant, and two groups of requests for unknown
 * objects. The difference between the last two is noise.
 */
export type SampleGroup = 'existing' | 'unknown' | 'unknownAgain';
export type TimingSamples = Record<SampleGroup, number[]>;

export type TimedRequest = (group: SampleGroup, round: number) => Promise<void>;

const groups: readonly SampleGroup[] = ['existing', 'unknown', 'unknownAgain'];
const quartiles = [25, 50, 75];
const splitCount = 200;
const marginMs = 0.2;

/** Random numbers from 0 to below 1, always the same for the same seed (xorshift32). */
export function createRandom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

/** Sends one request of each group per round, in random order. The first 5 % are a warm-up. */
export async function collectSamples(
  rounds: number,
  random: () => number,
  ask: TimedRequest,
  prepare?: () => Promise<void>,
): Promise<TimingSamples> {
  const samples: TimingSamples = { existing: [], unknown: [], unknownAgain: [] };
  const warmUp = Math.ceil(rounds / 20);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const group of shuffled(groups, random)) {
      await prepare?.();
      const startedAt = performance.now();
      await ask(group, round);
      if (round >= warmUp) samples[group].push(performance.now() - startedAt);
    }
  }
  return samples;
}

export type TimingComparison = {
  quartile: number;
  differenceMs: number;
  noiseMs: number;
  limitMs: number;
  medianMs: number;
  ratio: number;
};

/**
 * The distance between existing and unknown objects, relative to the distance between random halves
 * of the unknown ones. Returns the quartile with the highest ratio. On a busy machine the lower
 * quartile has the least noise.
 */
export function compareSamples(
  { existing, unknown, unknownAgain }: TimingSamples,
  random: () => number,
): TimingComparison {
  const allUnknown = [...unknown, ...unknownAgain];
  const halves = Array.from({ length: splitCount }, () => {
    const mixed = shuffled(allUnknown, random);
    return [mixed.slice(0, existing.length), mixed.slice(existing.length)] as const;
  });
  const byQuartile = quartiles.map((quartile) => {
    const distance = (left: number[], right: number[]) =>
      Math.abs(percentile(left, quartile) - percentile(right, quartile));
    const differenceMs = distance(existing, allUnknown);
    const noise = halves.map(([left, right]) => distance(left, right));
    const noiseMs = percentile(noise, 95);
    const limitMs = Math.max(3 * noiseMs, marginMs);
    return {
      quartile,
      differenceMs,
      noiseMs,
      limitMs,
      medianMs: percentile(allUnknown, 50),
      ratio: differenceMs / limitMs,
    };
  });
  return byQuartile.reduce((worst, candidate) =>
    candidate.ratio > worst.ratio ? candidate : worst,
  );
}
