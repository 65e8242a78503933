import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

describeInBrowser('the page of a link for its partner', () => {
  let site: TestConsole;
  let partner: TestPartner;
  let campaignId: string;
  let link: { id: string; token: string };
  let shortUrl: string;
  beforeAll(async () => {
    site = await openConsole();
    partner = await partnerIn(site.app);
    ({ id: campaignId } = await partner.campaign({ name: 'Spring' }));
    const { id, token } = await partner.link(campaignId, { name: 'Poster' });
    link = { id, token: String(token) };
    const { shortCode } = await site.app.database.prisma.link.findUniqueOrThrow({ where: { id } });
    shortUrl = `${site.origin}/s/${shortCode}`;
  }, 120_000);
  afterAll(() => site.close());

  it('A visitor who types the short address sees the offer, also after a reload, and counts as one click', async () => {
    const visitor = await site.page();
    await visitor.goto(shortUrl);
    await visitor
      .getByRole('heading', { level: 1, name: /gives you Atrium for 3 months/ })
      .waitFor();
    expect(new URL(visitor.url()).search).toBe(`?sponsored=${link.token}`);
    await visitor.reload();
    await visitor
      .getByRole('heading', { level: 1, name: /gives you Atrium for 3 months/ })
      .waitFor();
    await site.app.contextParts.linkClicks.store();
    expect(await site.app.database.prisma.linkDay.findMany()).toMatchObject([
      { linkId: link.id, clicks: 1 },
    ]);
  });

  it('A short address that does not exist shows that there is no such link', async () => {
    const visitor = await site.page();
    await visitor.goto(`${site.origin}/s/2222222222`);
    await visitor.getByRole('heading', { level: 1, name: 'This link does not exist' }).waitFor();
    await expectAccessibleInBoth(visitor);
  });

  it('The partner sees clicks, redemptions and conversion in the list, and by day on the page of the link', async () => {
    await partner.redeem(link);
    const page = await site.page({ as: partner.administratorId });
    await page.goto(`${site.origin}/sponsorship/campaigns/${campaignId}`);
    await page.getByText('Last 30 days: 1 click, 1 redemption, conversion 100%.').waitFor();
    const links = page.getByRole('table', { name: 'Links of the campaign' });
    await links.getByRole('row', { name: /Poster.* 1 .*1.*100%/s }).waitFor();
    await links.getByRole('link', { name: 'Poster', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Poster' }).waitFor();
    await page.getByRole('button', { name: 'Show as table: Clicks by day' }).click();
    const days = page.getByRole('table', { name: 'Clicks by day' });
    await days.getByRole('row').nth(30).waitFor();
    expect(await days.getByRole('row').last().getByRole('cell').last().textContent()).toBe('1');
    await page.getByLabel('Period').selectOption({ label: 'Last 7 days' });
    await days.getByRole('row').nth(8).waitFor({ state: 'detached' });
    expect(await days.getByRole('row').count()).toBe(8);
    await expectAccessibleInBoth(page);
  });

  it('The partner copies the short address, and the QR code leads to it', async () => {
    const page = await site.page({ as: partner.administratorId, reusesSession: true });
    await page.goto(`${site.origin}/sponsorship/links/${link.id}`);
    await page.getByRole('button', { name: 'Copy short address' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl);
    await page.getByRole('button', { name: 'QR code of Poster' }).click();
    await page.getByRole('dialog').getByText(shortUrl).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('On a phone and in German the page of the link fits', async () => {
    const page = await site.page({
      ...{ as: partner.administratorId, reusesSession: true },
      ...{ width: 390, height: 844, touch: true, locale: 'de-DE' },
    });
    await page.goto(`${site.origin}/sponsorship/links/${link.id}`);
    await page.getByRole('heading', { level: 1, name: 'Poster' }).waitFor();
    await page.getByText('Aufrufe nach Tag').first().waitFor();
    await expectAccessibleInBoth(page);
    await page.goto(`${site.origin}/sponsorship/campaigns/${campaignId}`);
    await page.getByText('Letzte 30 Tage: 1 Aufruf, 1 Einlösung').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('The link of another partner is not found', async () => {
    const other = await partnerIn(site.app);
    const page = await site.page({ as: other.administratorId });
    await page.goto(`${site.origin}/sponsorship/links/${link.id}`);
    await page.getByRole('alert').waitFor();
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(site.faults).toEqual([]);
  });
});
