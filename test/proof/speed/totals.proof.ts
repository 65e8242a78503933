import { compareTotals } from '../../bench/totals.ts';
import type { Proof } from '../proof.ts';
import { beside } from './beside.ts';

const users = 1_000_000;

export const proof: Proof = {
  claim:
    'a page with its total of a million rows is 20 times as fast as where the rows are counted',
  long: true,
  attempt: ({ seed }) =>
    beside(['fastify + pg', 'fastify + prisma'], 20, (postgres, effort) =>
      compareTotals(postgres, { ...effort, users }, seed),
    ),
};
