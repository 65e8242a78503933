import { compareGraphql } from '../../bench/graphql.ts';
import type { Proof } from '../proof.ts';
import { beside } from './beside.ts';

export const proof: Proof = {
  claim: '/graphql answers half as many questions more as Yoga does by itself with the same schema',
  long: true,
  attempt: ({ seed }) =>
    beside('plain Yoga', 1.5, (postgres, effort) => compareGraphql(postgres, effort, seed)),
};
