import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { serverUrl, testDatabase } from '../support/database.ts';
import { migratedDirectory } from '../support/embedded-template.ts';
import { run, type temporaryDirectory } from '../support/process.ts';
import { quietLog } from '../support/quiet-log.ts';
import { partnerOn } from '../support/redemptions.ts';

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(async () => {
  directory = await migratedDirectory();
});
afterEach(() => directory.remove());

/**
 * A database that another process can open as well; an embedded one after this process has closed
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

/** Runs the command on a database after this change and returns its output. */
async function checkAfter(
  change: (created: {
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
  const created = { database, campaignId: campaign.id, linkId: link.id };
  await change(created);
  if (serverUrl === undefined) await database.close();
  const command = run('src/commands/check-counters.ts', settings);
  const code = await command.ended;
  if (serverUrl !== undefined) await database.close();
  return { ...created, code, output: command.stdout() };
}

describe('npm run check:counters', () => {
  it('check:counters succeeds if every counter equals its rows', { timeout: 60_000 }, async () => {
    expect(await checkAfter(async () => undefined)).toMatchObject({
      code: 0,
      output: 'All counters match their rows.\n',
    });
  });

  it('check:counters names each wrong counter and fails', { timeout: 60_000 }, async () => {
    const { code, output, campaignId, linkId } = await checkAfter(async ({ database }) => {
      await database.sql`update campaigns set completed_redemptions = 5, reserved_redemptions = 0`;
      await database.sql`update links set completed_redemptions = 2`;
      await database.sql`delete from counter_deltas where counter in ('campaign.links', 'campaign.redemptions.UNBILLED')`;
      await database.sql`update redemption_month_deltas set redemptions = 7, amount_eur = 1.5 where id = (select min(id) from redemption_month_deltas)`;
      await database.sql`delete from sponsorship_end_deltas`;
    });
    expect(code).toBe(1);
    expect(output).toContain(`campaign.completed of ${campaignId}: stored 5, counted 3\n`);
    expect(output).toContain(`campaign.reserved of ${campaignId}: stored 0, counted 1\n`);
    expect(output).toContain(`link.completed of ${linkId}: stored 2, counted 3\n`);
    expect(output).toContain(`campaign.links of ${campaignId}: stored 0, counted 1\n`);
    expect(output).toContain(
      `campaign.redemptions.UNBILLED of ${campaignId}: stored 0, counted 3\n`,
    );
    expect(output).toMatch(/^month\.redemptions of .*: stored \d+, counted 3$/m);
    expect(output).toMatch(/^month\.amount of .*: stored 1.5, counted 0$/m);
    expect(output).toMatch(/^day\.sponsorships of .*: stored 0, counted 3$/m);
    expect(output).toMatch(/^8 counters differ from their rows\.$/m);
  });
});
