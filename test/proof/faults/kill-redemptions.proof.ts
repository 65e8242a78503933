import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'After kill -9 during redemptions no acknowledged redemption is lost, no workspace is incomplete and every counter is correct',
  measure: inManyRounds('test/proof/faults/kill-redemptions.test.ts', ['embedded', 'postgres']),
};
