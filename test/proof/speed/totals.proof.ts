import { compareTotals } from '../../bench/totals.ts';
import type { Proof } from '../proof.ts';
import { compareWithPeers } from './compare-with-peers.ts';

const users = 1_000_000;

export const proof: Proof = {
  claim:
    'A page with the total of a million rows is at least 20 times as fast as with counting the rows',
  long: true,
  measure: ({ seed }) =>
    compareWithPeers({ 'fastify + pg': 20, 'fastify + prisma': 20 }, (postgres, effort) =>
      compareTotals(postgres, { ...effort, users }, seed),
    ),
};
