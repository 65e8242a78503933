import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'After kill -9 a repeated request with its Idempotency-Key is executed exactly once and gets the first response',
  long: true,
  measure: inManyRounds('test/proof/faults/kill-requests.test.ts', ['embedded', 'postgres']),
};
