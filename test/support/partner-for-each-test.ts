import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { findWrongCounters } from '../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import { testDatabase } from './database.ts';
import { type Partner, partnerOn } from './redemptions.ts';

/** A database for the tests of a file, with a new partner for each. In the end no counter is wrong. */
export function partnerForEachTest() {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let partner: Partner;
  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(async () => {
    partner = await partnerOn(database);
  });
  afterAll(async () => {
    expect(await findWrongCounters({ database })).toEqual([]);
    await database.close();
  });
  return () => ({ database, partner });
}
