import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeInBrowser('the page of links with the partner’s branding', () => {
  let site: TestConsole;
  let partner: TestPartner;
  let token: unknown;
  beforeAll(async () => {
    site = await openConsole();
    partner = await partnerIn(site.app);
    ({ token } = await partner.link((await partner.campaign({ name: 'Spring' })).id));
  }, 120_000);
  afterAll(() => site.close());

  const bandOf = (page: Page) => page.getByRole('region', { name: 'Offer' });
  const expectLogo = (page: Page) =>
    page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.sponsored-logo img')?.naturalWidth === 1,
    );

  it('A partner sets name, sentence, colour and logo beside a preview, and the page of a link shows them', async () => {
    const page = await site.page({ as: partner.administratorId });
    await page.goto(`${site.origin}/sponsorship`);
    await page.getByRole('link', { name: 'Link page' }).click();
    await page.getByLabel('Display name').fill('Müller & Söhne');
    await page.getByLabel('Sentence').fill('For our best customers.');
    await page.getByLabel('Own accent colour').check();
    // Neither black nor white reads well on many colours; on this yellow only black does.
    await page.getByLabel('Accent colour', { exact: true }).fill('#ffdd00');
    await page.getByLabel('Logo file').setInputFiles({
      ...{ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    });
    await page.getByText('The logo must be a PNG, JPEG or WebP image.').waitFor();
    await page.getByLabel('Logo file').setInputFiles({
      ...{ name: 'logo.png', mimeType: 'image/png', buffer: png },
    });
    await bandOf(page).getByText('Müller & Söhne').waitFor();
    await bandOf(page).getByText('For our best customers.').waitFor();
    await expectLogo(page);
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The link page was saved').waitFor();
    await page.reload();
    await bandOf(page).getByText('For our best customers.').waitFor();
    await expectLogo(page);
  });

  it.each([
    ['a desktop', { width: 1280, height: 900 }],
    ['a phone', { width: 390, height: 844, touch: true }],
  ])('Visitors on %s see the branding, readable in light and dark', async (_, size) => {
    for (const accentColor of ['#ffdd00', '#101010', '#777777']) {
      await partner.call('POST', '/graphql', {
        query: `mutation { setSponsorBranding(input: { accentColor: "${accentColor}" }) { branding { accentColor } } }`,
      });
      const page = await site.page(size);
      await page.goto(`${site.origin}/auth?sponsored=${token}`);
      await page.getByRole('heading', { level: 1, name: /Müller & Söhne/ }).waitFor();
      await bandOf(page).getByText('For our best customers.').waitFor();
      await expectLogo(page);
      await expectAccessibleInBoth(page);
      await page.close();
    }
  });

  it('A partner removes its branding', async () => {
    const page = await site.page({ as: partner.administratorId, reusesSession: true });
    await page.goto(`${site.origin}/sponsorship/branding`);
    await page.getByLabel('Display name').fill('');
    await page.getByLabel('Sentence').fill('');
    await page.getByLabel('Own accent colour').uncheck();
    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The link page was saved').waitFor();
    const stored = await site.app.database.prisma.sponsorBranding.findFirstOrThrow();
    expect(stored).toMatchObject({
      ...{ displayName: null, sentence: null, accentColor: null, logo: null, logoHash: null },
    });
    const visitor = await site.page();
    await visitor.goto(`${site.origin}/auth?sponsored=${token}`);
    await visitor.getByRole('heading', { level: 1, name: new RegExp(partner.slug) }).waitFor();
    expect(await visitor.locator('.sponsored-band').count()).toBe(0);
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(site.faults).toEqual([]);
  });
});
