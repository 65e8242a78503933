import type { Goal } from '../bench/goals.ts';

/**
 * What a proof is given: how much of it is wanted, what its chance comes from, and a line to show
 * how far it is.
 */
export type Attempt = { quick: boolean; seed: number; say(line: string): void };

/** What this machine cannot show, and why: told in the table, neither held nor missed. */
export type LeftOut = { figure: string; leftOut: string };

export type Finding = Goal | LeftOut;

/**
 * A sentence about Atrium, and what finds out whether it holds. A file `<name>.proof.ts` in a
 * folder of test/proof exports one as `proof`; `npm run prove` finds it there. `long` ones are left
 * out of `--quick`, which CI runs.
 */
export type Proof = { claim: string; long?: true; attempt(attempt: Attempt): Promise<Finding[]> };

/** A count that must be nothing: answers of 5xx, canaries seen, losses. */
export const none = (figure: string, value: number): Goal => ({
  figure,
  value,
  unit: '',
  goal: '0',
  held: value === 0,
});
