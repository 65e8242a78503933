import { setTimeout as pause } from 'node:timers/promises';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/platform/database/database.ts';
import { createPdf } from '../../../../src/platform/pdf/create-pdf.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { databases } from '../../../support/databases.ts';
import { partnerIn } from '../../../support/partner.ts';
import { redeemMany } from '../../../support/redeem-many.ts';

const may = () => new Date('2026-05-15T10:00:00.000Z');

/** The text of each page, as a reader of another project finds it. */
async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document, { mergePages: false });
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

describe.each(databases)('a statement as a PDF on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await open();
    app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { database, clock: may });
  });
  afterAll(() => app.close());

  async function partnerWith(campaignName: string, organizationName: string) {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ name: campaignName });
    await partner.price(campaign.id, 1234.5);
    const link = await partner.link(campaign.id);
    const redemption = await partner.redeem(link, { organizationName });
    return { ...partner, link, redemption };
  }
  async function pdfOf(key: string, query = '') {
    const response = await app.fetch(
      new Request(`http://atrium.test/api/sponsorship/v1/statements/2026-05/pdf${query}`, {
        headers: { authorization: `Bearer ${key}` },
      }),
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { headers: response.headers, status: response.status, bytes };
  }

  it('The file has the names, sums and entries of the month, in English and in German', async () => {
    const { key, redemption } = await partnerWith('Frühjahr für Größen', 'Łódź Ωmega Київ');
    const english = await pdfOf(key);
    expect(english.headers.get('content-type')).toBe('application/pdf');
    expect(english.headers.get('content-disposition')).toContain(
      'sponsorship-statement-2026-05.pdf',
    );
    const [page = ''] = await pagesOf(english.bytes);
    for (const text of [
      ...['Sponsorship statement, May 2026', 'From 1 May 2026 to 31 May 2026, in UTC.'],
      ...[
        'The month is not over',
        'Reconciled: the redemptions (1)',
        'Billable in total 1 €1,234.50',
      ],
      ...['Frühjahr für Größen', 'Łódź Ωmega Київ', '2026-05-15 Began', 'Page 1 of 1'],
    ])
      expect(page).toContain(text);
    expect(page.replaceAll(' ', '')).toContain(redemption.email);
    const [seite = ''] = await pagesOf((await pdfOf(key, '?language=de')).bytes);
    for (const text of [
      ...['Sponsoring-Abrechnung, Mai 2026', 'Vom 1. Mai 2026 bis zum 31. Mai 2026, in UTC.'],
      ...[
        'Abgeglichen: Die Einlösungen (1)',
        'Abrechenbar insgesamt 1 1.234,50 €',
        'Seite 1 von 1',
      ],
    ])
      expect(seite).toContain(text);
    expect(page).not.toContain('□');
  });

  it('Fractions of a cent are shown, so that the amounts of the entries add up to the total', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ name: 'Fractions' });
    await partner.price(campaign.id, 0.0125);
    const link = await partner.link(campaign.id);
    for (const organizationName of ['One', 'Two']) await partner.redeem(link, { organizationName });
    const last = await partner.redeem(link, { organizationName: 'Three' });
    await partner.sponsor('PATCH', `/redemptions/${last.id}/billing`, {
      ...{ billingStatus: 'BILLED', billingAmount: 0.0000000001 },
    });
    const [page = ''] = await pagesOf((await pdfOf(partner.key)).bytes);
    expect(page).toContain('Billable in total 3 €0.0250000001');
    expect(page).toContain('Fractions 3 0 0 3 €0.0250000001');
    expect(page.match(/€0\.0125(?!\d)/g)).toHaveLength(2);
    const [seite = ''] = await pagesOf((await pdfOf(partner.key, '?language=de')).bytes);
    expect(seite).toContain('Abrechenbar insgesamt 3 0,0250000001 €');
  });

  it('A statement that does not agree with the totals of billing says which status differs', async () => {
    const { key, id: organizationId, redemption } = await partnerWith('Spring', 'Sponsored');
    const { campaignId } = await database.prisma.redemption.findUniqueOrThrow({
      where: { id: redemption.id },
    });
    await database.prisma.redemptionMonthDelta.create({
      data: {
        ...{ organizationId, campaignId, month: new Date('2026-05-01T00:00:00.000Z') },
        ...{ billingStatus: 'UNBILLED', redemptions: 1, amountEur: 1 },
      },
    });
    const [page] = await pagesOf((await pdfOf(key)).bytes);
    expect(page).toContain(
      'Not reconciled, Unbilled: this statement has 1 (€1,234.50), the totals of billing have 2 (€1,235.50).',
    );
    expect(page).not.toContain('Reconciled: the redemptions');
  });

  it('The same data gives the same bytes, and a changed status gives others', async () => {
    const { key, redemption, sponsor } = await partnerWith('Spring', 'Sponsored');
    const first = await pdfOf(key);
    await pause(1_100);
    const second = await pdfOf(key);
    expect(Buffer.from(second.bytes).equals(first.bytes)).toBe(true);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    await sponsor('PATCH', `/redemptions/${redemption.id}/billing`, { billingStatus: 'BILLED' });
    expect((await pdfOf(key)).headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  it('A name or an address that is too wide for its column goes on in the next lines', async () => {
    const campaign = 'A campaign for the whole of the south and the west';
    const workspace = 'The association of the friends of very long names';
    const { key, redemption } = await partnerWith(campaign, workspace);
    const userEmail = 'bartholomew.featherstonehaugh@the-subsidiary.partner.example';
    await database.prisma.redemption.update({
      where: { id: redemption.id },
      data: { userEmail },
    });
    const [page = ''] = await pagesOf((await pdfOf(key)).bytes);
    const entries = page.slice(page.indexOf('Redeemed by'));
    expect(entries).toContain(campaign);
    expect(entries).toContain(workspace);
    expect(entries.replaceAll(' ', '')).toContain(userEmail);
    expect(page).not.toContain('…');
  });

  it('A character that the font does not have is shown as a sign, and the file says so', async () => {
    const { key } = await partnerWith('漢字 🎉 Plan', 'שלום');
    const [page] = await pagesOf((await pdfOf(key)).bytes);
    expect(page).toContain('□□ □ Plan');
    expect(page).toContain(
      'The sign □ stands for a character that the font of this file does not have.',
    );
  });

  it('A month with more than 1,000 entries has the first 1,000, the sums of all, and a table head on every page', async () => {
    const { key, link, id: organizationId } = await partnerWith('Many', 'The first of all');
    const names = Array.from({ length: 1_100 }, (_, index) => `Workspace ${index}`);
    await redeemMany(app, link.id, names);
    const redeemedAt = new Date('2026-05-15T11:00:00.000Z');
    await database.prisma.redemption.updateMany({
      where: { organizationId, linkId: link.id, userEmail: null },
      data: { redeemedAt },
    });
    const pages = await pagesOf((await pdfOf(key)).bytes);
    const text = pages.join('');
    expect(pages.length).toBeGreaterThan(20);
    expect(text.match(/2026-05-15 Began/g)).toHaveLength(1_000);
    expect(text).toContain('Reconciled: the redemptions (1,101)');
    expect(text).toContain('Only the first 1,000 are shown.');
    for (const [index, page] of pages.slice(1, -1).entries()) {
      expect(page).toContain('Date Event Workspace Redeemed by Campaign Status Amount');
      expect(page).toContain(`Page ${index + 2} of ${pages.length}`);
    }
  });
});

it('Other work continues while a long file is made', async () => {
  const content = {
    ...{ title: 'Long', language: 'en-GB', date: may(), footer: 'Long', replacedNote: '' },
    pageOf: (page: number, pages: number) => `${page}/${pages}`,
    parts: [
      {
        kind: 'table' as const,
        columns: ['A', 'B', 'C'].map((title) => ({ title, width: 1 })),
        rows: Array.from({ length: 2_000 }, (_, row) =>
          ['x', 'y', 'z'].map((name) => `${name} ${row} of a rather long text that is shortened`),
        ),
      },
    ],
  };
  let turns = 0;
  let isDone = false;
  const countTurns = () => {
    turns += 1;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const pages = await pagesOf(await createPdf(content));
  isDone = true;
  expect(pages.length).toBeGreaterThan(40);
  expect(turns).toBeGreaterThan(10);
});
