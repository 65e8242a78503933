import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page, Route } from 'playwright-core';
import { encode } from 'uqr';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  chooseByTyping,
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';
import { redeemMany } from '../support/redeem-many.ts';

let site: TestConsole;
let partner: TestPartner;
let page: Page;

const rowsOf = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true });

describeInBrowser('the sponsorship section', () => {
  beforeAll(async () => {
    site = await openConsole();
    partner = await partnerIn(site.app);
    page = await site.page({ as: partner.administratorId });
  }, 120_000);
  afterAll(async () => {
    await site.close();
  });

  const open = (path: string) => page.goto(`${site.origin}/sponsorship${path}`);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('An administrator creates a campaign and a link, bills its redemptions, and exports them', async () => {
    await open('');
    await page.getByRole('link', { name: 'Create campaign' }).click();
    const form = page.getByRole('form', { name: 'New campaign' });
    await form.getByLabel('Name').fill('Spring fair');
    await form.getByLabel('Duration').selectOption({ label: '2 months' });
    await form.getByLabel('Seats per workspace').fill('5');
    await form.getByLabel('Maximum redemptions').fill('4');
    await form.getByLabel('Allowed domains').fill('redeem.example\nBÜCHER.example');
    await form.getByRole('button', { name: 'Create campaign' }).click();
    await heading('Spring fair');
    await page.getByText('redeem.example, xn--bcher-kva.example').waitFor();
    const campaign = await site.app.database.prisma.campaign.findFirstOrThrow({
      where: { organizationId: partner.id },
    });
    expect(campaign).toMatchObject({
      durationMonths: 2,
      includedSeats: 5,
      maxRedemptions: 4,
      allowedEmails: [],
    });
    await partner.price(campaign.id, 49.9);

    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByRole('form', { name: 'New link' }).getByLabel('Name').fill('Newsletter');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page
      .getByRole('dialog', { name: 'Link created' })
      .getByRole('button', { name: 'Copy link' })
      .click();
    const link = await site.app.database.prisma.link.findFirstOrThrow({
      where: { campaignId: campaign.id },
    });
    expect(new URL(await page.evaluate(() => navigator.clipboard.readText())).search).toBe(
      `?sponsored=${link.token}`,
    );
    await page.getByRole('button', { name: 'Done' }).click();

    await partner.redeem(link, { organizationName: '=HYPERLINK("evil")' });
    const { id: second, email } = await partner.redeem(link, {
      organizationName: 'Öl & Söhne, Kiel',
    });
    await page.getByRole('link', { name: '← Campaigns' }).click();
    await page.getByRole('link', { name: 'Redemptions' }).click();
    await heading('Redemptions');
    await page.getByLabel('Select all rows on this page').check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Set billing' }).click();
    const billing = page.getByRole('form', { name: 'Set billing' });
    await billing.getByText('2 redemptions (2 unbilled) become billed, total €99.80').waitFor();
    await billing.getByLabel('Batch or invoice').fill('2026-11');
    await billing.getByRole('button', { name: 'Set billing' }).click();
    await page.getByText('The billing of 2 redemptions was set').waitFor();
    await page.getByRole('cell', { name: 'Billed' }).nth(1).waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^redemptions-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.startsWith('\uFEFFId,')).toBe(true);
    const data = rowsOf(text);
    // A name that a spreadsheet would run as a formula is escaped.
    expect(data.map((row) => row['Workspace'])).toEqual([
      'Öl & Söhne, Kiel',
      '\'=HYPERLINK("evil")',
    ]);
    const row = await site.app.database.prisma.redemption.findUniqueOrThrow({
      where: { id: second },
    });
    expect(data[0]).toMatchObject({
      Id: second,
      'Redeemed by': email,
      Campaign: 'Spring fair',
      Link: 'Newsletter',
      Months: '2',
      'Sponsored until': row.sponsoredUntil.toISOString(),
      'Included seats': '5',
      'Price EUR': '49.9',
      'Billing status': 'BILLED',
      'Billing amount EUR': '49.9',
      'Billed at': row.billedAt?.toISOString(),
      'Billing batch': '2026-11',
    });
  });

  it('A year of five digits is refused at its field, with a message', async () => {
    await open('/campaigns?new=yes');
    const form = page.getByRole('form', { name: 'New campaign' });
    await form.getByLabel('Name').fill('Far future');
    const end = form.getByLabel('Ends at');
    await end.fill('20266-01-01T12:00');
    await form.getByRole('button', { name: 'Create campaign' }).click();
    const message = await end.evaluate((field: HTMLInputElement) => field.validationMessage);
    expect(message).not.toBe('');
    expect(site.faults).toEqual([]);
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  it('An export and a bulk extension cover all redemptions that match the filter, across pages', async () => {
    const link = await partner.link((await partner.campaign({ name: 'Many' })).id);
    const names = Array.from({ length: 105 }, (_, nth) => `Many ${nth}`);
    await redeemMany(site.app, link.id, names);
    await open('/redemptions?search=Many');
    await page.getByText('1–50 of 105').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const data = rowsOf(await readFile(await (await downloading).path(), 'utf8'));
    expect(new Set(data.map((row) => row['Workspace']))).toEqual(new Set(names));
    expect(data).toHaveLength(105);

    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check();
    await page.getByRole('button', { name: 'Select all 105' }).click();
    await page.getByText('105 selected').waitFor();
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    const form = page.getByRole('form', { name: 'Extend' });
    await form.getByRole('spinbutton', { name: 'Months' }).fill('2');
    await form.getByLabel('Reason').fill('Agreed');
    await form.getByRole('button', { name: 'Extend' }).click();
    await page.getByText('105 redemptions extended').waitFor();
    const rows = await site.app.database.prisma.redemption.findMany({
      where: { linkId: link.id },
    });
    expect(new Set(rows.map(({ extensionReason }) => extensionReason))).toEqual(
      new Set(['Agreed']),
    );
  });

  it('A bulk extension that one redemption blocks names it and changes none', async () => {
    const link = await partner.link((await partner.campaign({ name: 'Uneven' })).id);
    const [short, long] = [
      await partner.redeem(link, { organizationName: 'Short' }),
      await partner.redeem(link, { organizationName: 'Long' }),
    ];
    await partner.sponsor('PATCH', `/redemptions/${long.id}/extend`, {
      newSponsoredUntil: '2090-01-01T00:00:00.000Z',
    });
    await open('/redemptions');
    await chooseByTyping(page, 'Campaign', { text: 'Uneven' });
    await page.getByText('Long').waitFor();
    await page.getByLabel('Select all rows on this page').check();
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    const form = page.getByRole('form', { name: 'Extend' });
    await form.getByLabel('To a date').check();
    await form.getByLabel('New end (UTC)').fill('2080-01-01T00:00');
    await form.getByText('Long already ends later').waitFor();
    await form.getByRole('button', { name: 'Extend' }).click();
    await form
      .getByRole('alert')
      .filter({ hasText: `The sponsorship of Long (redemption ${long.id})` })
      .waitFor();
    expect(
      await site.app.database.prisma.redemption.findUniqueOrThrow({ where: { id: short.id } }),
    ).toMatchObject({ extendedUntil: null });
  });

  it('A link can be shown and downloaded as a QR code', async () => {
    const campaign = await partner.campaign({ name: 'Printed' });
    const link = await partner.link(campaign.id, { name: 'Poster' });
    await open(`/campaigns/${campaign.id}`);
    await page.getByRole('button', { name: 'QR code of Poster' }).click();
    const { shortCode } = await site.app.database.prisma.link.findUniqueOrThrow({
      where: { id: String(link['id']) },
    });
    const url = `${site.origin}/s/${shortCode}`;
    const picture = page.getByRole('img', { name: 'QR code of' });
    const drawn = await picture.locator('path').nth(1).getAttribute('d');
    const { data } = encode(url, { ecc: 'M', border: 4 });
    const dark = new Set(
      data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : []))),
    );
    expect(
      new Set([...String(drawn).matchAll(/M(\d+ \d+)h1v1h-1z/g)].map(([, place]) => place)),
    ).toEqual(dark);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download SVG' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Poster.svg');
    expect(await readFile(await download.path(), 'utf8')).toContain(`d="${drawn}"`);
  });

  it('A link can be paused and renamed, its password can be set and removed, and a campaign can be edited and paused', async () => {
    const campaign = await partner.campaign({ name: 'Guarded' });
    const link = await partner.link(campaign.id, { name: 'Door' });
    const readLink = () =>
      site.app.database.prisma.link.findUniqueOrThrow({ where: { id: link.id } });
    await open(`/campaigns/${campaign.id}`);
    await page.getByRole('button', { name: 'Pause Door' }).click();
    await page.getByRole('button', { name: 'Resume Door' }).waitFor();
    await expect.poll(async () => (await readLink()).isActive).toBe(false);

    await page.getByRole('link', { name: 'Door', exact: true }).click();
    await page.getByRole('button', { name: 'Password of Door' }).click();
    const form = page.getByRole('form', { name: 'Link password' });
    await form.getByLabel('New password', { exact: true }).fill('open sesame');
    await form.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password was set').waitFor();
    expect((await readLink()).passwordHash).not.toBeNull();
    expect(await page.content()).not.toContain('open sesame');
    await page.getByRole('button', { name: 'Password of Door' }).click();
    await form.getByRole('button', { name: 'Remove password' }).click();
    await page.getByText('The password was removed').waitFor();
    expect((await readLink()).passwordHash).toBeNull();

    await page.getByRole('button', { name: 'Rename Door' }).click();
    await page.getByRole('form', { name: 'Rename link' }).getByLabel('Name').fill('Gate');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('button', { name: 'Rename Gate' }).waitFor();
    await page.getByRole('link', { name: 'Guarded' }).click();

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const change = page.getByRole('form', { name: 'Edit campaign' });
    await change.getByLabel('Allowed addresses').fill('ada@example.com\nnobody');
    await change.getByRole('button', { name: 'Save changes' }).click();
    await change.getByText('“nobody” is not an e-mail address').waitFor();
    await change.getByLabel('Allowed addresses').fill('ada@example.com');
    await change.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The campaign was saved').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The campaign was paused').waitFor();
    expect(
      await site.app.database.prisma.campaign.findUniqueOrThrow({ where: { id: campaign.id } }),
    ).toMatchObject({
      isActive: false,
      allowedEmails: ['ada@example.com'],
      name: 'Guarded',
      durationMonths: 3,
    });
  });

  it('A campaign can be duplicated with its terms, and without its links and its end date', async () => {
    const campaign = await partner.campaign({
      ...{ name: 'Spring', durationMonths: 5, maxRedemptions: 12 },
      ...{ allowedEmailDomains: ['example.com'], expiresAt: '2100-01-01T00:00:00.000Z' },
    });
    await partner.link(campaign.id, { name: 'Door' });
    await open(`/campaigns/${campaign.id}`);
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    const form = page.getByRole('form', { name: 'Duplicate campaign' });
    await form.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByRole('heading', { name: 'Copy of Spring', level: 1 }).waitFor();
    const copy = await site.app.database.prisma.campaign.findFirstOrThrow({
      where: { name: 'Copy of Spring' },
      include: { links: true },
    });
    expect(copy).toMatchObject({
      ...{ durationMonths: 5, maxRedemptions: 12, allowedEmailDomains: ['example.com'] },
      ...{ expiresAt: null, links: [] },
    });
    expect(page.url()).toContain(copy.id);
  });

  it('A redemption shows who billed it, who extended it, and the reason', async () => {
    const { id } = await partner.redeem(
      await partner.link((await partner.campaign({ name: 'History' })).id),
      { organizationName: 'History Ltd' },
    );
    await open(`/redemptions/${id}`);
    await page.getByText('No billing changes yet').waitFor();
    await page.getByRole('button', { name: 'Set billing' }).click();
    const billing = page.getByRole('form', { name: 'Set billing' });
    await billing.getByLabel('Status').selectOption('WAIVED');
    await billing.getByLabel('Amount per redemption').fill('7.5');
    await billing.getByRole('button', { name: 'Set billing' }).click();
    const history = page.getByRole('table', { name: 'Billing changes' });
    await history.getByRole('cell', { name: '€7.50' }).waitFor();
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    await page.getByRole('form', { name: 'Extend' }).getByLabel('Reason').fill('A good customer');
    await page
      .getByRole('form', { name: 'Extend' })
      .getByRole('button', { name: 'Extend' })
      .click();
    const extensions = page.getByRole('table', { name: 'Extensions' });
    await extensions.getByRole('cell', { name: 'A good customer' }).waitFor();
    const { email } = await site.app.database.prisma.user.findUniqueOrThrow({
      where: { id: partner.administratorId },
    });
    for (const table of [history, extensions])
      await table.getByRole('cell', { name: email }).waitFor();
  });

  it('A link shows its old state when pausing it fails', async () => {
    const campaign = await partner.campaign({ name: 'Refused' });
    await partner.link(campaign.id, { name: 'Stays' });
    await open(`/campaigns/${campaign.id}`);
    const reject = (route: Route) =>
      route.request().postData()?.includes('UpdateLink')
        ? route.fulfill({
            json: { errors: [{ message: 'Not now', extensions: { code: 'UNAVAILABLE' } }] },
          })
        : route.continue();
    await page.route('**/graphql', reject);
    await page.getByRole('button', { name: 'Pause Stays' }).click();
    await page.getByText('Not now').waitFor();
    await page.getByRole('button', { name: 'Pause Stays' }).waitFor();
    await page.unroute('**/graphql', reject);
  });

  it('A cancelled export downloads no file', async () => {
    await open('/redemptions');
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const delay = async (route: Route) => {
      if (route.request().postData()?.includes('ExportRedemptions')) await released;
      await route.continue();
    };
    await page.route('**/graphql', delay);
    const requested = page.waitForRequest((request) =>
      Boolean(request.postData()?.includes('ExportRedemptions')),
    );
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await requested;
    await page
      .getByRole('dialog', { name: 'Export' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    const answered = page.waitForResponse('**/graphql');
    release();
    await answered;
    await page.getByLabel('Ends').selectOption('ended');
    await page.getByText('No matching redemptions').waitFor();
    expect(downloads).toBe(0);
    await page.unroute('**/graphql', delay);
  });

  it('Filters are stored in the address and survive a reload', async () => {
    const link = await partner.link((await partner.campaign({ name: 'Narrowed' })).id);
    for (const organizationName of ['Needle', 'Haystack'])
      await partner.redeem(link, { organizationName });
    await open('/redemptions');
    await page.getByLabel('Workspace or e-mail').fill('needle');
    await page.getByRole('link', { name: 'Needle' }).waitFor();
    await page.getByRole('link', { name: 'Haystack' }).waitFor({ state: 'detached' });
    await page.getByLabel('Billing').selectOption('UNBILLED');
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('UNBILLED');
    await page.reload();
    await expect.poll(() => page.getByLabel('Workspace or e-mail').inputValue()).toBe('needle');
    await page.getByRole('link', { name: 'Needle' }).waitFor();
    await page
      .getByLabel('Sponsorship', { exact: true })
      .getByRole('link', { name: 'Redemptions' })
      .click();
    await page.getByRole('link', { name: 'Haystack' }).waitFor();
    await expect.poll(() => page.getByLabel('Workspace or e-mail').inputValue()).toBe('');
    await open('/redemptions?search=needle&page=7');
    await page.getByRole('link', { name: 'Needle' }).waitFor();
    const { campaignId } = await site.app.database.prisma.link.findUniqueOrThrow({
      where: { id: link.id },
    });
    await partner.redeem(await partner.link(campaignId, { name: 'Elsewhere' }), {
      organizationName: 'Hay',
    });
    await open(`/campaigns/${campaignId}`);
    await page.getByRole('link', { name: '1 by Elsewhere' }).click();
    // The page of the campaign stays until the next one is rendered.
    await page.getByRole('button', { name: 'One link only' }).waitFor();
    await page.getByRole('link', { name: 'Hay', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Needle' }).count()).toBe(0);
    await page.getByRole('button', { name: 'One link only' }).click();
    await page.getByRole('link', { name: 'Needle' }).waitFor();
  });

  it('A closed dialog returns the focus to its button, and clearing the selection moves it to the list', async () => {
    await open('/redemptions');
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check();
    const button = page.getByRole('button', { name: 'Set billing', exact: true });
    await button.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await button.waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    expect(
      await page
        .getByLabel('Select all rows on this page')
        .evaluate((element) => element === document.activeElement),
    ).toBe(true);
  });

  it('All sponsorship pages are accessible in both themes and fit on a phone', async () => {
    const campaign = await partner.campaign({
      name: 'Looked at',
      maxRedemptions: 5,
      includedSeats: 3,
      expiresAt: '2090-01-01T00:00:00.000Z',
    });
    const { id } = await partner.redeem(await partner.link(campaign.id, { name: 'Everything' }));
    await partner.sponsor('PATCH', `/redemptions/${id}/billing`, {
      billingStatus: 'DISPUTED',
      billingAmount: 12,
    });
    for (const [path, name] of [
      ['', 'Sponsorship'],
      ['/campaigns', 'Campaigns'],
      [`/campaigns/${campaign.id}`, 'Looked at'],
      ['/redemptions', 'Redemptions'],
      [`/redemptions/${id}`, 'Sponsored Ltd'],
    ] as const) {
      await open(path);
      await heading(name);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 360, height: 740 });
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });

  it('All sponsorship dialogs are accessible', async () => {
    const { id } = await partner.campaign({ name: 'In dialogs' });
    const link = await partner.link(id, { name: 'Newsletter' });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const [path, name] of [
      ['/campaigns', 'New campaign'],
      [`/campaigns/${id}`, 'New link'],
      [`/campaigns/${id}`, 'QR code of Newsletter'],
      [`/links/${link.id}`, 'Password of Newsletter'],
      [`/links/${link.id}`, 'Rename Newsletter'],
    ] as const) {
      await open(path);
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page);
    }
    await open('/redemptions');
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check();
    for (const name of ['Set billing', 'Extend']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('A chart can be shown as a table', async () => {
    await open('');
    const toggle = page.getByRole('button', {
      name: 'Show as table: Redemptions by month, by billing status',
    });
    await toggle.click();
    const table = page.getByRole('table', { name: 'Redemptions by month, by billing status' });
    await expect.poll(() => table.getByRole('row').count()).toBe(13);
    await expectAccessible(page);
    await toggle.click();
    await table.waitFor({ state: 'detached' });
    await page
      .getByRole('img', { name: /^Redemptions by month/ })
      .locator('.bars-plot path')
      .first()
      .waitFor({ state: 'attached' });
  });

  it('A chart shows the values of the month under the pointer', async () => {
    await open('');
    const chart = page.getByRole('img', { name: /^Redemptions by month/ });
    const values = chart.locator('.bars-values');
    const plot = await chart.locator('.bars-plot').boundingBox();
    if (!plot) throw new Error('the chart is not drawn');
    const shownAt = async (month: number) => {
      await page.mouse.move(plot.x + ((month + 0.5) / 12) * plot.width, plot.y + 20);
      const [box, text] = [await values.boundingBox(), await values.innerText()];
      expect(box?.x).toBeGreaterThanOrEqual(plot.x - 1);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(plot.x + plot.width + 1);
      return text;
    };
    const [row] = await page.evaluate(async () => [
      new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' }).format(new Date()),
    ]);
    expect(await shownAt(0)).toMatch(/Unbilled\s+0/);
    expect(await shownAt(11)).toContain(row);
    await page.mouse.move(0, 0);
    await values.waitFor({ state: 'detached' });
  });

  it('People without access see what the section is and who can enable it', async () => {
    const member = await partner.member('member@redeem.example');
    const plain = await site.app.organization({ features: [] });
    for (const [as, text] of [
      [member.id, 'This page is for administrators'],
      [plain.administratorId, 'Ask platform support to enable it'],
    ] as const) {
      const memberPage = await site.page({ as });
      await memberPage.goto(`${site.origin}/sponsorship/redemptions`);
      await memberPage.getByText(text).waitFor();
      await expectAccessibleInBoth(memberPage);
    }
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(site.faults).toEqual([]);
  });
});
