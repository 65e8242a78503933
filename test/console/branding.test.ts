import { crc32, deflateSync } from 'node:zlib';
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

/** A grey PNG of this size. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One byte for each pixel, without a palette.
  header.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const chunk = (type: string, content: Buffer) => {
    const numbers = Buffer.alloc(8);
    const named = Buffer.concat([Buffer.from(type), content]);
    numbers.writeUInt32BE(content.length, 0);
    numbers.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...[chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))],
  ]);
}

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

  it.each([
    [400, 4_000],
    [4_000, 400],
  ])('A logo of %i × %i pixels stays in its square', async (width, height) => {
    const other = await partnerIn(site.app);
    const link = await other.link((await other.campaign()).id);
    await other.call('POST', '/graphql', {
      query: `mutation Brand($logo: String) { setSponsorBranding(input: { logo: $logo }) { branding { logoUrl } } }`,
      variables: { logo: pngOf(width, height).toString('base64') },
    });
    const page = await site.page({ width: 390, height: 844, touch: true });
    await page.goto(`${site.origin}/auth?sponsored=${link.token}`);
    await page.waitForFunction(
      (expected) =>
        document.querySelector<HTMLImageElement>('.sponsored-logo img')?.naturalWidth === expected,
      width,
    );
    const [square, image] = [
      await page.locator('.sponsored-logo').boundingBox(),
      await page.locator('.sponsored-logo img').boundingBox(),
    ];
    expect(square).toMatchObject({ width: 64, height: 64 });
    expect(image?.width).toBeLessThanOrEqual(64);
    expect(image?.height).toBeLessThanOrEqual(64);
    expect(image?.y).toBeGreaterThanOrEqual(square?.y ?? 0);
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(site.faults).toEqual([]);
  });
});
