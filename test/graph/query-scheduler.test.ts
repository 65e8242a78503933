import { expect, it } from 'vitest';
import type { Context } from '../../src/graph/context.ts';
import { createQueryScheduler } from '../../src/graph/query-scheduler.ts';

const { signal } = new AbortController();
const contextOf = (organizationId: string): Pick<Context, 'viewer' | 'signal'> => ({
  viewer: {
    kind: 'ORGANIZATION_KEY',
    keyId: organizationId,
    organizationId,
    features: new Set(),
    limitPerMinute: null,
  },
  signal,
});

it('two queries of one organization run at the same time, and a query of another organization does not wait for the rest', async () => {
  const schedule = createQueryScheduler();
  const started: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const runQuery = (organization: string) =>
    schedule(contextOf(organization), async () => {
      started.push(organization);
      await released;
    });
  const all = [...Array.from({ length: 20 }, () => runQuery('busy')), runQuery('quiet')];
  await new Promise(setImmediate);
  expect(started).toEqual(['busy', 'busy', 'quiet']);
  release();
  await Promise.all(all);
  expect(started).toHaveLength(21);
});
