import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { databases } from '../../../support/databases.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { redeemMany } from '../../../support/redeem-many.ts';
import { serveApp } from '../../../support/serve-app.ts';
import { watchStatements } from '../../../support/statements.ts';

type Row = Record<string, unknown>;

const columns = [
  ...['id', 'redeemedAt', 'sponsoredUntil', 'extendedUntil', 'extensionReason', 'includedSeats'],
  ...['pricing.model', 'pricing.amountEur', 'pricing.unit', 'billingStatus', 'billingAmount'],
  ...['billedAt', 'billingBatchId', 'organizationName', 'userEmail', 'linkName'],
];

const watch = watchStatements();
afterAll(() => watch.stop());

describe.each(databases)('redemptions as rows on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let server: Awaited<ReturnType<typeof serveApp>>;
  beforeAll(async () => {
    database = await open();
    app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { database });
    server = await serveApp(app);
  });
  afterAll(async () => {
    server.close();
    await app.close();
  });

  /** A partner with this number of redemptions of one campaign, all of the same moment. */
  async function withRedemptions(count: number) {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ name: 'Rows' });
    const link = await partner.link(campaign.id, { name: 'Fair' });
    await redeemMany(
      app,
      link.id,
      Array.from({ length: count }, (_, index) => `Guest ${index}`),
    );
    return { partner, campaignId: campaign.id, link };
  }
  const pathOf = (campaignId: string, query = '') =>
    `/api/sponsorship/v1/campaigns/${campaignId}/redemptions${query}`;
  const get = (
    { key }: Pick<TestPartner, 'key'>,
    campaignId: string,
    query: string,
    headers: Record<string, string> = {},
  ) =>
    fetch(server.url + pathOf(campaignId, query), {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  async function listed(partner: TestPartner, campaignId: string, filter = ''): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await partner.sponsor(
        'GET',
        `/campaigns/${campaignId}/redemptions?page=${page}${filter}`,
      );
      const found = body['redemptions'] as Row[];
      if (found.length === 0) return rows;
      rows.push(...found);
    }
  }
  const linesOf = (text: string): Row[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('NDJSON has a line for each redemption of all pages, in their order and byte for byte', async () => {
    const { partner, campaignId } = await withRedemptions(1203);
    const response = await get(partner, campaignId, '?format=ndjson');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const rows = await listed(partner, campaignId);
    expect(await response.text()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(rows).toHaveLength(1203);
  });

  it('CSV has a row of names and the same values, and null is an empty cell', async () => {
    const { partner, campaignId } = await withRedemptions(3);
    await partner.price(campaignId, 9.5);
    const { id } = await partner.redeem(await partner.link(campaignId));
    await partner.sponsor('PATCH', `/redemptions/${id}/billing`, {
      billingStatus: 'BILLED',
      billingBatchId: 'INV, "7"',
    });
    const response = await get(partner, campaignId, '?format=csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="redemptions.csv"',
    );
    const text = await response.text();
    expect(text.startsWith(`${columns.join(',')}\r\n`)).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    const cellOf = (row: Row, column: string) => {
      const value = column.split('.').reduce<unknown>((part, name) => Object(part)[name], row);
      return String(value ?? '');
    };
    const rows = await listed(partner, campaignId);
    expect(parse(text, { columns: true })).toEqual(
      rows.map((row) => Object.fromEntries(columns.map((column) => [column, cellOf(row, column)]))),
    );
    expect(text).toContain('"INV, ""7"""');
    expect(text).toContain(',FIXED,9.5,PER_REDEMPTION,');
  });

  it('What a spreadsheet would execute begins with an apostrophe in CSV, and is unchanged in NDJSON', async () => {
    const { partner, campaignId, link } = await withRedemptions(0);
    const texts = [
      '=1+1',
      '+1',
      '-1+cmd|x',
      '@SUM(A1)',
      '＝1',
      ' =1',
      '"=1"',
      'a=1',
      "it's",
      'x\n=1',
      'x;=1',
    ];
    const ids: string[] = [];
    for (const reason of texts) {
      const { id } = await partner.redeem(link, { organizationName: reason.trim() });
      ids.unshift(id);
      await database.prisma.redemption.update({
        where: { id },
        data: { extensionReason: reason, billingAmount: 1.5 },
      });
    }
    const csv: Row[] = parse(await (await get(partner, campaignId, '?format=csv')).text(), {
      columns: true,
    });
    const reasons = csv.map((row) => [row['id'], row['extensionReason']]);
    const safe = texts.map((text) =>
      (/^\s*[=+\-@＝]/.test(text) ? `'${text}` : text).replace(/(?<=[\n;])=/, "'="),
    );
    expect(reasons).toEqual(ids.map((id, index) => [id, safe.toReversed()[index]]));
    expect(csv.every((row) => !/^[=+\-@]/.test(String(row['organizationName'])))).toBe(true);
    expect(new Set(csv.map((row) => row['billingAmount']))).toEqual(new Set(['1.5']));
    const lines = linesOf(await (await get(partner, campaignId, '?format=ndjson')).text());
    expect(lines.map((row) => row['extensionReason'])).toEqual(texts.toReversed());
  });

  it.each([
    ['?format=csv', 'application/json', 'text/csv'],
    ['?format=json', 'text/csv', 'application/json'],
    ['', 'text/csv', 'text/csv'],
    ['', 'application/x-ndjson', 'application/x-ndjson'],
    ['', 'application/json;q=0.9, text/csv;q=0.5', 'application/json'],
    ['', 'text/csv;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['', '*/*', 'application/json'],
    ['', 'text/*', 'application/json'],
  ])('With the query "%s" and Accept %s the type is %s', async (query, accept, type) => {
    const { partner, campaignId } = await withRedemptions(1);
    const response = await get(partner, campaignId, query, { accept });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    await response.text();
  });

  it('A billing status selects rows, and without rows CSV has the names only and NDJSON is empty', async () => {
    const { partner, campaignId } = await withRedemptions(2);
    const [first] = await listed(partner, campaignId);
    await partner.sponsor('PATCH', `/redemptions/${first?.['id']}/billing`, {
      billingStatus: 'WAIVED',
    });
    const textWith = async (query: string) => (await get(partner, campaignId, query)).text();
    expect(linesOf(await textWith('?format=ndjson&billingStatus=WAIVED'))).toEqual(
      await listed(partner, campaignId, '&billingStatus=WAIVED'),
    );
    expect(await textWith('?format=ndjson&billingStatus=BILLED')).toBe('');
    expect(await textWith('?format=csv&billingStatus=BILLED')).toBe(`${columns.join(',')}\r\n`);
  });

  it('HEAD has the headers of the rows and no body', async () => {
    const { partner, campaignId } = await withRedemptions(1);
    const response = await fetch(server.url + pathOf(campaignId, '?format=csv'), {
      method: 'HEAD',
      headers: { authorization: `Bearer ${partner.key}` },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  it.each([
    ['?format=xml', 'format', 'UNKNOWN_VALUE'],
    ['?format=csv&format=csv', 'format', 'REPEATED'],
    ['?format=csv&page=2', 'page', 'INVALID'],
    ['?format=ndjson&pageSize=10', 'pageSize', 'INVALID'],
    ['?format=csv&billingStatus=PAID', 'billingStatus', 'UNKNOWN_VALUE'],
  ])('%s is 400 as JSON, and the error names %s', async (query, field, code) => {
    const { partner, campaignId } = await withRedemptions(0);
    const response = await get(partner, campaignId, query);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({
      ...{ status: 'error', code: 'BAD_INPUT' },
      errors: [{ field, code }],
    });
  });

  it('A campaign of another organization is 404 as JSON, and a missing feature is 403 before the format is read', async () => {
    const { campaignId } = await withRedemptions(1);
    const rival = await partnerIn(app);
    for (const id of [campaignId, 'unknown']) {
      const response = await get(rival, id, '?format=csv');
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ message: 'Campaign not found' });
    }
    const without = await partnerIn(app, { features: ['userManagement'] });
    expect((await get(without, campaignId, '?format=xml')).status).toBe(403);
  });

  it('No row comes twice and none is lost if redemptions are added while the rows are read', async () => {
    const { partner, campaignId, link } = await withRedemptions(1100);
    const before = await listed(partner, campaignId);
    const reader = (await get(partner, campaignId, '?format=ndjson')).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    let text = (await reader?.read())?.value ?? '';
    await redeemMany(app, link.id, ['Late 1', 'Late 2']);
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      text += next.value;
    const ids = linesOf(text).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => before.some((row) => row['id'] === id))).toEqual(
      before.map(({ id }) => id),
    );
  });

  let largeRows: ReturnType<typeof createLargeRows> | undefined;
  const withLargeRows = () => {
    largeRows ??= createLargeRows();
    return largeRows;
  };
  /** 3,000 rows of more than 20 kB are more than the buffers of a socket hold. */
  async function createLargeRows() {
    const fixture = await withRedemptions(3000);
    // In parts, because a statement may take ten seconds only.
    for (let index = 0; index < 3000; index += 300)
      await database.sql`
        update redemptions set extension_reason = repeat('x', 20000) where id in (
          select id from redemptions where campaign_id = ${fixture.campaignId} and extension_reason is null limit 300)`;
    return fixture;
  }
  async function openExport(partner: TestPartner, campaignId: string) {
    const sent = request(server.url + pathOf(campaignId, '?format=ndjson'), {
      headers: { authorization: `Bearer ${partner.key}` },
    })
      .on('error', () => {})
      .end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }
  const batchesIn = (statements: readonly string[]) =>
    statements.filter((text) => text.includes('order by redeemed_at desc, id desc limit')).length;

  it('A client that does not read gets no further batches, and none are read after it disconnects', async () => {
    const { partner, campaignId } = await withLargeRows();
    const { statements } = await watch.during(async () => {
      const response = await openExport(partner, campaignId);
      await once(response, 'readable');
      response.destroy();
      await once(response, 'close');
      // Other requests are answered, and have their connections.
      for (let index = 0; index < 20; index += 1)
        expect((await partner.sponsor('GET', `/campaigns/${campaignId}`)).status).toBe(200);
    });
    expect(batchesIn(statements)).toBeGreaterThan(0);
    expect(batchesIn(statements)).toBeLessThan(6);
  });

  it('If the key is revoked while the rows are read, the connection breaks off', async () => {
    const { partner, campaignId } = await withLargeRows();
    const response = await openExport(partner, campaignId);
    let bytes = 0;
    const readAll = async () => {
      for await (const chunk of response) {
        if (bytes === 0)
          await database.prisma.apiKey.update({
            where: { id: partner.keyId },
            data: { revokedAt: new Date() },
          });
        bytes += chunk.length;
        await pause(50);
      }
    };
    await expect(readAll()).rejects.toThrow(/aborted|ECONNRESET/);
    expect(bytes).toBeLessThan(3000 * 20_000);
  });
});
