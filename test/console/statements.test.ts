import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

const now = new Date('2026-05-15T10:00:00.000Z');
const clockAt = (time: string) => () => new Date(time);

describeInBrowser('statements of sponsorships', () => {
  let site: TestConsole;
  let partner: TestPartner;
  beforeAll(async () => {
    site = await openConsole({}, { clock: () => now });
    partner = await partnerIn(site.app);
    const campaign = await partner.campaign({ name: 'Frühjahr', durationMonths: 1 });
    await partner.price(campaign.id, 49.9);
    const link = await partner.link(campaign.id);
    await partner.redeem(link, { at: clockAt('2026-03-15T00:00:00.000Z') });
    const billed = await partner.redeem(link, {
      ...{ at: clockAt('2026-04-02T00:00:00.000Z'), organizationName: 'Öl & Söhne' },
    });
    await partner.redeem(link, {
      ...{ at: clockAt('2026-04-03T00:00:00.000Z'), organizationName: '=1+1' },
    });
    await partner.sponsor('PATCH', `/redemptions/${billed.id}/billing`, {
      ...{ billingStatus: 'BILLED', billingBatchId: 'INV-2026-04' },
    });
  }, 120_000);
  afterAll(() => site.close());

  const downloadOf = async (page: Page, name: string) => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    const download = await downloading;
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  };

  it('A partner opens the statement of a month, sees that it is reconciled, and downloads it as PDF and CSV', async () => {
    const page = await site.page({ as: partner.administratorId });
    await page.goto(`${site.origin}/sponsorship`);
    await page.getByRole('link', { name: 'Statements' }).click();
    await page.getByRole('heading', { level: 1, name: 'Statements' }).waitFor();
    const months = page.getByRole('table', { name: 'Statements' });
    await months.getByRole('row').nth(3).waitFor();
    expect(await months.getByRole('link').allTextContents()).toEqual([
      ...['May 2026', 'April 2026', 'March 2026'],
    ]);
    await expectAccessibleInBoth(page);
    await months.getByRole('link', { name: 'April 2026' }).click();
    await page.getByRole('heading', { level: 1, name: 'Statement of April 2026' }).waitFor();
    await page
      .getByText('Reconciled. The 2 redemptions and their amounts agree with the totals')
      .waitFor();
    const batches = page.getByRole('table', { name: 'Redemptions of the month by billing batch' });
    await batches.getByRole('row', { name: /INV-2026-04.*Billed.*1.*€49\.90/ }).waitFor();
    const campaigns = page.getByRole('table', { name: 'Sponsorships of the month by campaign' });
    await campaigns.getByRole('row', { name: /Frühjahr.*2.*0.*1.*2.*€99\.80/ }).waitFor();
    const entries = page.getByRole('table', { name: 'What happened to sponsorships in the month' });
    await entries.getByRole('row').nth(3).waitFor();
    await expectAccessibleInBoth(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Event').selectOption({ label: 'Ended' });
    await entries.getByRole('row', { name: /15 Apr 2026.*Ended/ }).waitFor();
    await entries.getByRole('row', { name: /Began/ }).first().waitFor({ state: 'detached' });
    expect(await entries.getByRole('row').count()).toBe(2);

    const pdf = await downloadOf(page, 'Download PDF');
    expect(pdf.name).toBe('sponsorship-statement-2026-04.pdf');
    const { text } = await extractText(new Uint8Array(pdf.content), { mergePages: true });
    expect(text).toContain('Sponsorship statement, April 2026');
    const csv = await downloadOf(page, 'Download CSV');
    expect(csv.name).toBe('sponsorship-statement-2026-04.csv');
    const rows: Record<string, string>[] = parse(csv.content, { columns: true });
    expect(rows.map((row) => row['organizationName'])).toEqual([
      'Öl & Söhne',
      "'=1+1",
      'Sponsored Ltd',
    ]);
  });

  it('On a phone and in German the statement fits, and its PDF is German', async () => {
    const page = await site.page({
      ...{ as: partner.administratorId, reusesSession: true },
      ...{ width: 390, height: 844, touch: true, locale: 'de-DE' },
    });
    await page.goto(`${site.origin}/sponsorship/statements`);
    await page.getByRole('link', { name: 'April 2026' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'April 2026' }).click();
    await page.getByRole('heading', { level: 1, name: 'Abrechnung für April 2026' }).waitFor();
    await page.getByText('Abgeglichen.').waitFor();
    await page.getByRole('cell', { name: 'Öl & Söhne' }).waitFor();
    await expectAccessibleInBoth(page);
    const pdf = await downloadOf(page, 'PDF herunterladen');
    expect(pdf.name).toBe('sponsoring-abrechnung-2026-04.pdf');
    const { text } = await extractText(new Uint8Array(pdf.content), { mergePages: true });
    expect(text).toContain('Sponsoring-Abrechnung, April 2026');
  });

  it('In German a campaign of one month says “1 Monat”, and amounts have all fractions of a cent', async () => {
    const other = await partnerIn(site.app);
    const campaign = await other.campaign({ name: 'Bruchteile', durationMonths: 1 });
    await other.price(campaign.id, 0.000025);
    const link = await other.link(campaign.id);
    const { id } = await other.redeem(link, { at: clockAt('2026-04-02T00:00:00.000Z') });
    await other.redeem(link, { at: clockAt('2026-04-03T00:00:00.000Z') });
    const page = await site.page({ as: other.administratorId, locale: 'de-DE' });
    await page.goto(`${site.origin}/sponsorship/campaigns/${campaign.id}`);
    const duration = page.locator('dt', { hasText: 'Dauer' }).locator('xpath=following::dd[1]');
    expect(await duration.textContent()).toBe('1 Monat');
    await page.goto(`${site.origin}/sponsorship/redemptions/${id}`);
    await page.getByText('0,000025\xa0€', { exact: true }).first().waitFor();
    await page.goto(`${site.origin}/sponsorship/statements/2026-04`);
    await page.getByRole('row', { name: /Bruchteile.*0,00005\s€/ }).waitFor();
  });

  it('On paper the statement has its tables, without buttons and tabs', async () => {
    const page = await site.page({ as: partner.administratorId, reusesSession: true });
    await page.goto(`${site.origin}/sponsorship/statements/2026-04`);
    await page.getByRole('cell', { name: 'INV-2026-04' }).waitFor();
    await page.getByRole('cell', { name: 'Öl & Söhne' }).waitFor();
    const { text } = await extractText(new Uint8Array(await page.pdf({ format: 'A4' })), {
      mergePages: true,
    });
    expect(text).toContain('Statement of April 2026');
    expect(text).toContain('INV-2026-04');
    expect(text).not.toContain('Download PDF');
  });

  it('A month without a statement says so', async () => {
    const page = await site.page({ as: partner.administratorId, reusesSession: true });
    await page.goto(`${site.origin}/sponsorship/statements/2020-01`);
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(site.faults).toEqual([]);
  });
});
