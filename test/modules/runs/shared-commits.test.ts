import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RowsStatement, RunWrites, rowsTable } from '../../../src/modules/runs/run-writes.ts';
import { createSharedCommits } from '../../../src/modules/runs/shared-commits.ts';
import { fragment } from '../../../src/platform/database/sql.ts';
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
      commit(
        'organization',
        (writes) => writes.enqueue`insert into shared_commits values (${name})`,
      ),
    ),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  ]);
  const rows = await database.sql<{ name: string }>`select name from shared_commits order by name`;
  expect(rows.map(({ name }) => name)).toEqual(['one', 'three', 'two']);
});

it('Rows of the same statement are written by one statement, in the order of the calls', async () => {
  const writes = new RunWrites();
  const insertNames: RowsStatement<{ name: string }> = (rows) =>
    fragment`insert into shared_commits select name from ${rowsTable(rows, fragment`name text`)}`;
  writes.add(insertNames, { name: 'four' });
  writes.enqueue`update shared_commits set name = 'first ' || name where name = 'four'`;
  writes.add(insertNames, { name: 'five' });
  const statements: string[] = [];
  await database.transact((tx) => {
    writes.sendTo({
      enqueue: (strings, ...values) => {
        statements.push(strings.join('?'));
        tx.enqueue(strings, ...values);
      },
    });
  });
  expect(statements).toHaveLength(2);
  const rows = await database.sql<{ name: string }>`
    select name from shared_commits where name like '%f%' order by name`;
  expect(rows.map(({ name }) => name)).toEqual(['first four', 'five']);
});

it('A row that is added first is stored before the rows of other runs that share the transaction', async () => {
  await database.sql`create table shared_runs (id text primary key)`;
  await database.sql`create table shared_steps (run text references shared_runs (id))`;
  await database.sql`insert into shared_runs values ('long')`;
  const insertRuns: RowsStatement<{ id: string }> = (rows) =>
    fragment`insert into shared_runs select id from ${rowsTable(rows, fragment`id text`)}`;
  const insertSteps: RowsStatement<{ run: string }> = (rows) =>
    fragment`insert into shared_steps select run from ${rowsTable(rows, fragment`run text`)}`;
  await database.transact((tx) => {
    const writes = new RunWrites();
    writes.add(insertSteps, { run: 'long' });
    writes.addFirst(insertRuns, { id: 'short' });
    writes.add(insertSteps, { run: 'short' });
    writes.sendTo(tx);
  });
  const steps = await database.sql<{ run: string }>`select run from shared_steps order by run`;
  expect(steps.map(({ run }) => run)).toEqual(['long', 'short']);
});
