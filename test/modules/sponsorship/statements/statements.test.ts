import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entryBatchMax } from '../../../../src/modules/sponsorship/statements/export-statement-entries.ts';
import type { Database } from '../../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { databases } from '../../../support/databases.ts';
import { partnerIn } from '../../../support/partner.ts';
import { redeemMany } from '../../../support/redeem-many.ts';
import { signIn } from '../../../support/sign-in.ts';

const clockAt = (time: string) => () => new Date(time);

const statementQuery = /* GraphQL */ `
  query Statement($month: String!) {
    sponsorshipStatement(month: $month) {
      month from until isOver began extended ended billableRedemptions billableEur
      byBillingStatus { billingStatus redemptions amountEur }
      reconciliation {
        agrees redemptions amountEur unvalued
        differences { billingStatus countedRedemptions countedAmountEur recordedRedemptions recordedAmountEur }
      }
      campaigns { totalCount nodes { campaignName began extended ended billableRedemptions billableEur } }
      batches { totalCount nodes { batchId billingStatus redemptions amountEur } }
    }
    sponsorshipStatementEntries(month: $month) {
      totalCount nodes { kind at endBefore endAfter isBillable billingStatus billingAmount billingBatchId organizationName campaignName }
    }
  }`;

const statuses = (amounts: Record<string, [redemptions: number, amountEur: number]>) =>
  ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'].map((billingStatus) => {
    const [redemptions, amountEur] = amounts[billingStatus] ?? [0, 0];
    return { billingStatus, redemptions, amountEur };
  });

describe.each(databases)('statements on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let now = new Date();
  beforeAll(async () => {
    database = await open();
    app = await testApp(
      { ORGANIZATION_KEY_LIMIT: '100000' },
      { database, clock: () => new Date(now) },
    );
  });
  afterAll(() => app.close());
  beforeEach(() => {
    now = new Date('2026-05-15T10:00:00.000Z');
  });

  /**
   * Three months: in March two sponsorships begin, in April three, of which one is billed and one
   * waived, and in May one. One that ended in April is extended in May.
   */
  async function partnerWithMonths() {
    const partner = await partnerIn(app);
    const priced = await partner.campaign({ name: 'Frühjahr', durationMonths: 1 });
    await partner.price(priced.id, 10);
    const link = await partner.link(priced.id);
    const unpricedCampaign = await partner.campaign({ name: 'Unpriced' });
    const otherLink = await partner.link(unpricedCampaign.id);
    const redeem = (on: { token: unknown }, at: string, organizationName: string) =>
      partner.redeem(on, { at: clockAt(at), organizationName });
    await redeem(link, '2026-03-05T00:00:00.000Z', 'Ended in April');
    const extended = await redeem(link, '2026-03-20T00:00:00.000Z', 'Extended in May');
    const billed = await redeem(link, '2026-04-10T00:00:00.000Z', 'Billed');
    const waived = await redeem(link, '2026-04-11T00:00:00.000Z', 'Waived');
    await redeem(otherLink, '2026-04-30T23:59:59.999Z', '=HYPERLINK("https://evil.example")');
    await redeem(otherLink, '2026-05-01T00:00:00.000Z', 'First of May');
    await partner.sponsor('PATCH', `/redemptions/${billed.id}/billing`, {
      ...{ billingStatus: 'BILLED', billingAmount: 12.5, billingBatchId: 'INV-1' },
    });
    await partner.sponsor('PATCH', `/redemptions/${waived.id}/billing`, {
      billingStatus: 'WAIVED',
    });
    now = new Date('2026-05-02T08:00:00.000Z');
    await partner.sponsor('PATCH', `/redemptions/${extended.id}/extend`, {
      newSponsoredUntil: '2026-08-01T00:00:00.000Z',
    });
    now = new Date('2026-05-15T10:00:00.000Z');
    return { ...partner, billedId: billed.id };
  }
  /** `app.request` compares every answer with the JSON that OpenAPI documents. */
  const csvOf = async (key: string, month: string) => {
    const response = await app.fetch(
      new Request(`http://atrium.test/api/sponsorship/v1/statements/${month}/entries?format=csv`, {
        headers: { authorization: `Bearer ${key}` },
      }),
    );
    const { status } = response;
    const [type, disposition] = ['content-type', 'content-disposition'].map((name) =>
      response.headers.get(name),
    );
    return { status, type, disposition, text: await response.text() };
  };
  const statementOf = async (key: string, month: string) => {
    const { data, errors } = await app.graph(key, statementQuery, { month });
    expect(errors).toEqual([]);
    return {
      ...Object(data?.['sponsorshipStatement']),
      entries: Object(data?.['sponsorshipStatementEntries']),
    };
  };

  it('A statement has what began, was extended, ended and is billable in its month, and agrees with the totals of billing', async () => {
    const { key } = await partnerWithMonths();
    const april = await statementOf(key, '2026-04');
    expect(april).toMatchObject({
      ...{ month: '2026-04', from: '2026-04-01T00:00:00.000Z', until: '2026-05-01T00:00:00.000Z' },
      ...{ isOver: true, began: 3, extended: 0, ended: 2 },
      ...{ billableRedemptions: 2, billableEur: 12.5 },
      byBillingStatus: statuses({ UNBILLED: [1, 0], BILLED: [1, 12.5], WAIVED: [1, 10] }),
      reconciliation: {
        ...{ agrees: true, redemptions: 3, amountEur: 22.5, unvalued: 1, differences: [] },
      },
      campaigns: {
        totalCount: 2,
        nodes: [
          {
            campaignName: 'Frühjahr',
            began: 2,
            ended: 2,
            billableRedemptions: 1,
            billableEur: 12.5,
          },
          { campaignName: 'Unpriced', began: 1, ended: 0, billableRedemptions: 1, billableEur: 0 },
        ],
      },
      batches: {
        totalCount: 3,
        nodes: [
          { batchId: null, billingStatus: 'UNBILLED', redemptions: 1, amountEur: 0 },
          { batchId: null, billingStatus: 'WAIVED', redemptions: 1, amountEur: 10 },
          { batchId: 'INV-1', billingStatus: 'BILLED', redemptions: 1, amountEur: 12.5 },
        ],
      },
    });
    expect(april.entries.nodes.map(Object.values)).toEqual([
      [
        'ENDED',
        '2026-04-05T00:00:00.000Z',
        null,
        null,
        false,
        null,
        null,
        null,
        'Ended in April',
        'Frühjahr',
      ],
      [
        'BEGAN',
        '2026-04-10T00:00:00.000Z',
        null,
        null,
        true,
        'BILLED',
        12.5,
        'INV-1',
        'Billed',
        'Frühjahr',
      ],
      [
        'BEGAN',
        '2026-04-11T00:00:00.000Z',
        null,
        null,
        false,
        'WAIVED',
        10,
        null,
        'Waived',
        'Frühjahr',
      ],
      [
        'ENDED',
        '2026-04-20T00:00:00.000Z',
        null,
        null,
        false,
        null,
        null,
        null,
        'Extended in May',
        'Frühjahr',
      ],
      [
        'BEGAN',
        '2026-04-30T23:59:59.999Z',
        null,
        null,
        true,
        'UNBILLED',
        null,
        null,
        '=HYPERLINK("https://evil.example")',
        'Unpriced',
      ],
    ]);
  });

  it('An extension stands in the month in which it was made, and ends that have not passed are left out', async () => {
    const { key } = await partnerWithMonths();
    const may = await statementOf(key, '2026-05');
    expect(may).toMatchObject({ isOver: false, began: 1, extended: 1, ended: 2 });
    expect(may.entries.nodes).toMatchObject([
      { kind: 'BEGAN', organizationName: 'First of May' },
      {
        ...{
          kind: 'EXTENDED',
          at: '2026-05-02T08:00:00.000Z',
          organizationName: 'Extended in May',
        },
        ...{ endBefore: '2026-04-20T00:00:00.000Z', endAfter: '2026-08-01T00:00:00.000Z' },
      },
      { kind: 'ENDED', organizationName: 'Billed' },
      { kind: 'ENDED', organizationName: 'Waived' },
    ]);
    now = new Date('2026-05-10T12:00:00.000Z');
    expect(await statementOf(key, '2026-05')).toMatchObject({ ended: 1 });
  });

  it('The entry of an end keeps its id when the sponsorship is extended afterwards, and each further end has an id of its own', async () => {
    const { key, sponsor } = await partnerWithMonths();
    type EndEntry = { id: string; organizationName: string };
    const endsIn = async (month: string): Promise<EndEntry[]> => {
      const query = `query Ends($month: String!) {
        sponsorshipStatementEntries(month: $month, kind: ENDED) { nodes { id organizationName redemptionId } } }`;
      const { data, errors } = await app.graph(key, query, { month });
      expect(errors).toEqual([]);
      return Object(data?.['sponsorshipStatementEntries']).nodes;
    };
    const april = await endsIn('2026-04');
    const ended = april.find(({ organizationName }) => organizationName === 'Ended in April');
    const { redemptionId } = Object(ended);
    await sponsor('PATCH', `/redemptions/${redemptionId}/extend`, {
      newSponsoredUntil: '2026-06-01T00:00:00.000Z',
    });
    expect(await endsIn('2026-04')).toEqual(april);
    now = new Date('2026-06-15T10:00:00.000Z');
    const june = await endsIn('2026-06');
    expect(june.map(({ organizationName }) => organizationName)).toEqual(['Ended in April']);
    expect(june[0]?.id).not.toBe(ended?.id);
  });

  it('Statements are listed from the first month with a redemption to the current one, and agree with redemptionMonths', async () => {
    const { key } = await partnerWithMonths();
    now = new Date('2026-07-01T00:00:00.000Z');
    const { data, errors } = await app.graph(
      key,
      `{ sponsorshipStatements { totalCount nodes { month isOver began byBillingStatus { billingStatus redemptions amountEur } } }
         redemptionMonths(months: 5) { month redemptions byBillingStatus { billingStatus redemptions amountEur } } }`,
    );
    expect(errors).toEqual([]);
    const { nodes, totalCount } = Object(data?.['sponsorshipStatements']);
    expect(totalCount).toBe(5);
    expect(nodes.map(({ month }: { month: string }) => month)).toEqual([
      '2026-07',
      '2026-06',
      '2026-05',
      '2026-04',
      '2026-03',
    ]);
    const months: { month: string; redemptions: number; byBillingStatus: object[] }[] =
      Object(data)['redemptionMonths'];
    expect(nodes.toReversed()).toMatchObject(
      months.map(({ month, redemptions, byBillingStatus }) => ({
        ...{ month: month.slice(0, 7), began: redemptions, byBillingStatus },
      })),
    );
  });

  it('A statement names each billing status whose redemptions differ from the totals of billing', async () => {
    const { key, id: organizationId } = await partnerWithMonths();
    const { campaignId } = await database.prisma.redemption.findFirstOrThrow({
      where: { organizationId },
    });
    await database.prisma.redemptionMonthDelta.create({
      data: {
        ...{ organizationId, campaignId, month: new Date('2026-04-01T00:00:00.000Z') },
        ...{ billingStatus: 'BILLED', redemptions: 2, amountEur: 0.25 },
      },
    });
    const { reconciliation } = await statementOf(key, '2026-04');
    expect(reconciliation).toEqual({
      ...{ agrees: false, redemptions: 3, amountEur: 22.5, unvalued: 1 },
      differences: [
        {
          billingStatus: 'BILLED',
          ...{ countedRedemptions: 1, countedAmountEur: 12.5 },
          ...{ recordedRedemptions: 3, recordedAmountEur: 12.75 },
        },
      ],
    });
  });

  it('The CSV of a month has all entries of its pages, and no text that a spreadsheet runs', async () => {
    const { key, sponsor } = await partnerWithMonths();
    const page = await sponsor('GET', '/statements/2026-04/entries');
    const csv = await csvOf(key, '2026-04');
    expect(csv.type).toBe('text/csv; charset=utf-8');
    expect(csv.disposition).toBe('attachment; filename="sponsorship-statement-2026-04.csv"');
    const rows: Record<string, string>[] = parse(csv.text, { columns: true });
    expect(rows.map((row) => row['id'])).toEqual(
      Object(page.body)['entries'].map(({ id }: { id: string }) => id),
    );
    expect(rows.map((row) => [row['kind'], row['isBillable'], row['billingAmount']])).toEqual([
      ['ENDED', 'false', ''],
      ['BEGAN', 'true', '12.5'],
      ['BEGAN', 'false', '10'],
      ['ENDED', 'false', ''],
      ['BEGAN', 'true', ''],
    ]);
    expect(rows.at(-1)?.['organizationName']).toBe(`'=HYPERLINK("https://evil.example")`);
  });

  it('The CSV has each entry once and in the order of the pages, also where many have the same time', async () => {
    const partner = await partnerWithMonths();
    const { id: linkId } = await database.prisma.link.findFirstOrThrow({
      where: { organizationId: partner.id },
    });
    const count = 2 * entryBatchMax + 1;
    await redeemMany(
      app,
      linkId,
      Array.from({ length: count }, (_, index) => `Guest ${index}`),
    );
    const at = new Date('2026-04-20T00:00:00.000Z');
    await database.prisma.redemption.updateMany({
      where: { linkId, redeemedAt: { gt: now } },
      data: { redeemedAt: at },
    });
    const listed: string[] = [];
    for (let page = 1; page <= Math.ceil((count + 5) / 100); page += 1) {
      const { body } = await partner.sponsor('GET', `/statements/2026-04/entries?page=${page}`);
      listed.push(...Object(body).entries.map(({ id }: { id: string }) => id));
    }
    expect(listed).toHaveLength(count + 5);
    const rows: Record<string, string>[] = parse((await csvOf(partner.key, '2026-04')).text, {
      columns: true,
    });
    expect(rows.map((row) => row['id'])).toEqual(listed);
  });

  it('There is no statement before the first redemption, after the current month, or of another organization', async () => {
    const { key, sponsor } = await partnerWithMonths();
    const other = await partnerIn(app);
    for (const path of ['', '/entries', '/entries?format=csv', '/pdf']) {
      for (const month of ['2026-02', '2026-06'])
        expect((await sponsor('GET', `/statements/${month}${path}`)).status).toBe(404);
      expect((await other.sponsor('GET', `/statements/2026-04${path}`)).status).toBe(404);
    }
    expect((await other.sponsor('GET', '/statements')).body).toMatchObject({
      statements: [],
      total: 0,
    });
    expect((await app.graph(key, statementQuery, { month: '2026-13' })).errors[0]).toMatchObject({
      extensions: { code: 'BAD_INPUT' },
    });
  });

  it('A month in a wrong form is 400, and the message names the form', async () => {
    const { sponsor } = await partnerWithMonths();
    for (const path of ['', '/entries', '/entries?format=csv', '/pdf'])
      for (const month of ['2026-13', '26-1', '2026-1', '2026', 'May', '2026-04-01'])
        expect(await sponsor('GET', `/statements/${month}${path}`)).toMatchObject({
          status: 400,
          body: {
            code: 'BAD_INPUT',
            errors: [{ field: 'month', message: 'month must be a month such as "2026-11"' }],
          },
        });
  });

  it('A statement needs an administrator of an organization with sponsorship', async () => {
    const partner = await partnerWithMonths();
    const member = await partner.member(`plain@${partner.slug}.example`);
    const plain = await signIn(app, member.id);
    const administrator = await signIn(app, partner.administratorId);
    const { key } = await partner.userKey(member.id);
    expect((await plain.graph(statementQuery, { month: '2026-04' })).code).toBe('FORBIDDEN');
    expect((await app.graph(key, statementQuery, { month: '2026-04' })).errors[0]).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
    });
    const get = (path: string, cookie: string) => app.request('GET', path, { headers: { cookie } });
    const pdf = '/files/statements/2026-04?language=de';
    const csv = '/files/statement-entries/2026-04?format=csv';
    for (const path of [pdf, csv]) {
      expect((await get(path, plain.cookie)).status).toBe(403);
      expect((await get(path, '')).status).toBe(401);
      expect((await get(path, administrator.cookie)).status).toBe(200);
    }
    expect((await get(csv, administrator.cookie)).text).toBe(
      (await csvOf(partner.key, '2026-04')).text,
    );
    // Rows in JSON belong to the API.
    expect((await get('/files/statement-entries/2026-04', administrator.cookie)).status).toBe(404);
    await database.prisma.organization.update({
      where: { id: partner.id },
      data: { features: ['userManagement'] },
    });
    expect((await administrator.graph(statementQuery, { month: '2026-04' })).code).toBe(
      'FEATURE_DISABLED',
    );
    expect((await get(pdf, administrator.cookie)).status).toBe(403);
  });
});
