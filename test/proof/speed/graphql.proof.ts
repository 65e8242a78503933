import { compareGraphql } from '../../bench/graphql.ts';
import type { Proof } from '../proof.ts';
import { compareWithPeers } from './compare-with-peers.ts';

export const proof: Proof = {
  claim: '/graphql answers at least 1.5 times as many requests as plain Yoga with the same schema',
  long: true,
  measure: ({ seed }) =>
    compareWithPeers('plain Yoga', 1.5, (postgres, effort) =>
      compareGraphql(postgres, effort, seed),
    ),
};
