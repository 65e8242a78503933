import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'After kill -9 at any moment, its first start included, the embedded database opens and has every confirmed row',
  measure: inManyRounds('test/proof/faults/kill-database.test.ts', ['embedded']),
};
