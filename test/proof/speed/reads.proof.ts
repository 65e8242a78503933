import { compareLists } from '../../bench/lists.ts';
import { compareReads } from '../../bench/reads.ts';
import type { Proof } from '../proof.ts';
import { compareWithPeers } from './compare-with-peers.ts';

export const proof: Proof = {
  claim: 'Every read is at least as fast as one written by hand with Fastify and pg',
  long: true,
  measure: ({ seed }) =>
    compareWithPeers('fastify + pg', 1, async (postgres, effort) => [
      ...(await compareReads(postgres, effort, seed)),
      ...(await compareLists(postgres, effort, seed)),
    ]),
};
