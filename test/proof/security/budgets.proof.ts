import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'With 200 runs at once in two processes, a budget is overdrawn by no more than the last step of each, and a budget of runs not at all',
  measure: inManyRounds('test/modules/budgets/budget-races.test.ts', ['embedded', 'postgres']),
};
