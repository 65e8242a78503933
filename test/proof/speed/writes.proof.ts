import { compareWrites } from '../../bench/writes.ts';
import type { Proof } from '../proof.ts';
import { beside } from './beside.ts';

export const proof: Proof = {
  claim: 'writes are as fast as those written by hand with Fastify and Prisma',
  long: true,
  attempt: ({ seed }) =>
    beside('fastify + prisma', 1, (postgres, effort) => compareWrites(postgres, effort, seed)),
};
