import type { Proof } from '../proof.ts';
import { inManyRounds } from '../run-tests.ts';

export const proof: Proof = {
  claim:
    'After kill -9 during uploads, replacements and deletions, rows, files and passages agree, and no acknowledged file is lost',
  measure: inManyRounds('test/proof/faults/kill-files.test.ts', ['embedded', 'postgres']),
};
