import { expect, it } from 'vitest';
import type { Context } from '../../src/graph/context.ts';
import { createQueryTurns } from '../../src/graph/query-turns.ts';

const { signal } = new AbortController();
const of = (organizationId: string): Pick<Context, 'viewer' | 'signal'> => ({
  viewer: {
    kind: 'ORGANIZATION_KEY',
    keyId: organizationId,
    organizationId,
    features: new Set(),
    limitPerMinute: null,
  },
  signal,
});

it('Of one organization two queries run at a time, and a query of another organization does not wait for the rest', async () => {
  const inTurn = createQueryTurns();
  const started: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const ask = (organization: string) =>
    inTurn(of(organization), async () => {
      started.push(organization);
      await released;
    });
  const all = [...Array.from({ length: 20 }, () => ask('busy')), ask('quiet')];
  await new Promise(setImmediate);
  expect(started).toEqual(['busy', 'busy', 'quiet']);
  release();
  await Promise.all(all);
  expect(started).toHaveLength(21);
});
