import type { Proof } from '../proof.ts';
import { killRepeatedly } from './kill-repeatedly.ts';

export const proof: Proof = {
  claim:
    'After kill -9 at any moment no acknowledged write is lost, no write is incomplete, and the next start needs no repair (embedded database)',
  long: true,
  measure: (context) => killRepeatedly('embedded', context),
};
