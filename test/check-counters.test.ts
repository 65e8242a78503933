import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/platform/database/database.ts';
import { serverUrl, testDatabase } from './support/database.ts';
import { run, temporaryDirectory } from './support/process.ts';
import { quietLog } from './support/quiet-log.ts';
import { partnerOn } from './support/redemptions.ts';

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

/**
 * A database that another process can open as well; the embedded one as soon as this one has closed
 * it.
 */
async function sharedDatabase() {
  if (serverUrl === undefined)
    return {
      database: await openDatabase({ dataDir: directory.path, log: quietLog }),
      settings: { DATA_DIR: directory.path },
    };
  const database = await testDatabase();
  return { database, settings: { DATA_DIR: directory.path, DATABASE_URL: database.url ?? '' } };
}

/** What the command says of a database that was left like this. */
async function checked(
  leave: (made: {
    database: Awaited<ReturnType<typeof sharedDatabase>>['database'];
    campaignId: string;
    linkId: string;
  }) => Promise<unknown>,
) {
  const { database, settings } = await sharedDatabase();
  const partner = await partnerOn(database);
  const campaign = await partner.campaign();
  const link = await partner.link(campaign.id);
  for (const userId of await partner.people(3)) {
    const { reservation } = await partner.reserve(link.token);
    await partner.complete(link.token, reservation, userId);
  }
  await partner.reserve(link.token);
  const made = { database, campaignId: campaign.id, linkId: link.id };
  await leave(made);
  if (serverUrl === undefined) await database.close();
  const command = run('src/check-counters.ts', settings);
  const code = await command.ended;
  if (serverUrl !== undefined) await database.close();
  return { ...made, code, said: command.stdout() };
}

describe('npm run check:counters', () => {
  it('finds nothing where every number is what the rows say', { timeout: 60_000 }, async () => {
    expect(await checked(async () => undefined)).toMatchObject({
      code: 0,
      said: 'All kept numbers are what the rows say.\n',
    });
  });

  it('names each number that is not, and fails', { timeout: 60_000 }, async () => {
    const { code, said, campaignId, linkId } = await checked(async ({ database }) => {
      await database.sql`update campaigns set completed_redemptions = 5, reserved_redemptions = 0`;
      await database.sql`update links set completed_redemptions = 2`;
      await database.sql`delete from counter_deltas where counter in ('campaign.links', 'campaign.redemptions.UNBILLED')`;
      await database.sql`update redemption_month_deltas set redemptions = 7, amount_eur = 1.5 where id = (select min(id) from redemption_month_deltas)`;
    });
    expect(code).toBe(1);
    expect(said).toContain(`campaign.completed of ${campaignId}: kept 5, counted 3\n`);
    expect(said).toContain(`campaign.reserved of ${campaignId}: kept 0, counted 1\n`);
    expect(said).toContain(`link.completed of ${linkId}: kept 2, counted 3\n`);
    expect(said).toContain(`campaign.links of ${campaignId}: kept 0, counted 1\n`);
    expect(said).toContain(`campaign.redemptions.UNBILLED of ${campaignId}: kept 0, counted 3\n`);
    expect(said).toMatch(/^month\.redemptions of .*: kept \d+, counted 3$/m);
    expect(said).toMatch(/^month\.amount of .*: kept 1.5, counted 0$/m);
    expect(said).toMatch(/^7 kept numbers differ from the rows\.$/m);
  });
});
