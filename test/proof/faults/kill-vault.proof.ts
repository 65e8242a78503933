import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'After kill -9 of the vault and its vector database every acknowledged document is complete, and every other one complete or absent',
  measure: inManyRounds('test/proof/faults/kill-vault.test.ts', ['embedded']),
};
