import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSharedCommits } from '../../../src/modules/runs/shared-commits.ts';
import { testDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
  await database.sql`create table shared_commits (name text primary key)`;
});
afterAll(() => database.close());

it('A write that fails fails alone, and those that shared its transaction are committed', async () => {
  const commit = createSharedCommits({ database });
  const names = ['one', 'two', 'two', 'three'];
  const outcomes = await Promise.allSettled(
    names.map((name) =>
      commit('organization', (tx) => tx.enqueue`insert into shared_commits values (${name})`),
    ),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  ]);
  const rows = await database.sql<{ name: string }>`select name from shared_commits order by name`;
  expect(rows.map(({ name }) => name)).toEqual(['one', 'three', 'two']);
});
