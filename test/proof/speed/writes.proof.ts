import { compareWrites } from '../../bench/writes.ts';
import type { Proof } from '../proof.ts';
import { compareWithPeers } from './compare-with-peers.ts';

export const proof: Proof = {
  claim: 'Writes are at least as fast as those written by hand with Fastify and Prisma',
  long: true,
  measure: ({ seed }) =>
    compareWithPeers({ 'fastify + prisma': 1 }, (postgres, effort) =>
      compareWrites(postgres, effort, seed),
    ),
};
