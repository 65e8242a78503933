import { compareLists } from '../../bench/lists.ts';
import { compareReads } from '../../bench/reads.ts';
import type { Proof } from '../proof.ts';
import { compareWithPeers } from './compare-with-peers.ts';

const goals = {
  'fastify + pg': 1,
  'postgres.js': (read: string) => (read.endsWith(':id') ? 0.9 : 1),
  'Elysia on Bun': 'compared',
} as const;

export const proof: Proof = {
  claim:
    'Every read is at least as fast as one written by hand with Fastify and pg, every list as one with postgres.js and no framework',
  long: true,
  measure: ({ seed }) =>
    compareWithPeers(goals, async (postgres, effort) => [
      ...(await compareReads(postgres, effort, seed)),
      ...(await compareLists(postgres, effort, seed)),
    ]),
};
