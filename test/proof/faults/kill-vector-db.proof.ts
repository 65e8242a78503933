import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'After kill -9 of the vector database acknowledged documents are stored once and whole, and deleted text is removed from the disk',
  measure: inManyRounds('test/proof/faults/kill-vector-db.test.ts', ['embedded']),
};
