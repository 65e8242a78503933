import { expect, it } from 'vitest';
import type { Context } from '../../../src/access/context.ts';
import { graphLimits } from '../../../src/graph/document/limits.ts';
import { createQueryScheduler } from '../../../src/graph/execute/query-scheduler.ts';

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

it('two large queries of one organization run at the same time, and a query of another organization does not wait for the rest', async () => {
  const schedule = createQueryScheduler();
  const started: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const runQuery = (organization: string) =>
    schedule(contextOf(organization), graphLimits.cost, async () => {
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

it('twenty small queries of one organization run at the same time', async () => {
  const schedule = createQueryScheduler();
  let running = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const all = Array.from({ length: 20 }, () =>
    schedule(contextOf('dashboard'), 600, async () => {
      running += 1;
      await released;
    }),
  );
  await new Promise(setImmediate);
  expect(running).toBe(20);
  release();
  await Promise.all(all);
});
