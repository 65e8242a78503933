import type { Goal } from '../bench/goals.ts';

/**
 * What `npm run prove` passes to a proof: whether to run the short version, the seed of its random
 * numbers, and a function that prints a line of progress.
 */
export type ProofContext = { quick: boolean; seed: number; log(line: string): void };

/**
 * A figure that cannot be measured on this machine, with the reason. The table shows it as skipped:
 * it counts neither as held nor as missed.
 */
export type SkippedFigure = { figure: string; skipped: string };

export type ProofFinding = Goal | SkippedFigure;

/**
 * A claim about Atrium and the function that measures whether it holds. Each file
 * `test/proof/<area>/<name>.proof.ts` exports one as `proof`, and `npm run prove` finds it there.
 * `--quick`, which CI runs, skips the proofs marked as `long` and runs several at once, but those
 * marked as `timed`, whose figures are times or processor times, alone.
 */
export type Proof = {
  claim: string;
  long?: true;
  timed?: true;
  measure(context: ProofContext): Promise<ProofFinding[]>;
};

/** A count whose goal is zero, such as answers of 5xx, leaks or lost writes. */
export const exactlyZero = (figure: string, value: number): Goal => ({
  figure,
  value,
  unit: '',
  goal: '0',
  held: value === 0,
});
