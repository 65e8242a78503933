import type { Proof } from '../proof.ts';
import { killOften } from './kill.ts';

export const proof: Proof = {
  claim:
    'a kill -9 at any moment loses nothing that was acknowledged, leaves nothing half done, and the next start needs no hand: on Postgres',
  long: true,
  attempt: (attempt) => killOften('postgres', attempt),
};
