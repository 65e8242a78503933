import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { testDatabase } from '../../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('No statement is compiled by Postgres, and times are in UTC', async () => {
  const settings = await database.sql<{ jit: string; zone: string }>`
    select current_setting('jit') as jit, current_setting('TimeZone') as zone`;
  expect(settings).toEqual([{ jit: 'off', zone: 'UTC' }]);
});
