import { compareLists } from '../../bench/lists.ts';
import { compareReads } from '../../bench/reads.ts';
import type { Proof } from '../proof.ts';
import { beside } from './beside.ts';

export const proof: Proof = {
  claim: 'every read is as fast as one written by hand with Fastify and pg',
  long: true,
  attempt: ({ seed }) =>
    beside('fastify + pg', 1, async (postgres, effort) => [
      ...(await compareReads(postgres, effort, seed)),
      ...(await compareLists(postgres, effort, seed)),
    ]),
};
