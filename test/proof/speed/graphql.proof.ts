import { compareGraphql } from '../../bench/graphql.ts';
import type { Proof } from '../proof.ts';
import { compareWithPeers } from './compare-with-peers.ts';

const goals = { 'plain Yoga': 1.5, 'Mercurius with JIT': 1, PostGraphile: 1.5 };

export const proof: Proof = {
  claim:
    '/graphql is at least 1.5 times as fast as plain Yoga and as PostGraphile, and as fast as Mercurius with its JIT',
  long: true,
  measure: ({ seed }) =>
    compareWithPeers(goals, (postgres, effort) => compareGraphql(postgres, effort, seed)),
};
