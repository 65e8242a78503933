import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWrongCounters } from '../../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import type { Database } from '../../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { databases } from '../../../support/databases.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { rounds } from '../../../support/rounds.ts';
import { serveApp } from '../../../support/serve-app.ts';
import { watchStatements } from '../../../support/statements.ts';

type Item = Record<string, unknown>;
const now = new Date('2026-05-15T10:00:00.000Z');
const day = (number: number) => new Date(Date.UTC(2027, 0, number)).toISOString();

const watch = watchStatements();
afterAll(() => watch.stop());

describe.each(databases)('bulk changes of redemptions on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let server: Awaited<ReturnType<typeof serveApp>>;
  beforeAll(async () => {
    database = await open();
    app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { database, clock: () => now });
    server = await serveApp(app);
  });
  afterAll(async () => {
    server.close();
    await app.close();
  });

  /** Sends the call over a socket. */
  async function patch(
    { key }: Pick<TestPartner, 'key'>,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${server.url}/api/sponsorship/v1/redemptions${path}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  async function withRedemptions(count: number) {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ durationMonths: 1 });
    await partner.price(campaign.id, 10);
    const link = await partner.link(campaign.id);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await partner.redeem(link)).id);
    return { partner, ids };
  }
  const rowsOf = ({ id }: TestPartner) =>
    database.prisma.redemption.findMany({
      where: { organizationId: id },
      orderBy: { id: 'asc' },
    });
  const auditOf = ({ id }: TestPartner, action: string) =>
    database.prisma.auditEntry.findMany({
      where: { organizationId: id, action },
      orderBy: { id: 'asc' },
    });
  const withoutRequestId = (body: Item) => ({ ...body, requestId: '' });

  describe('PATCH /redemptions/extend', () => {
    it('Each item has the result that its single call would have, in the order of the request', async () => {
      const { partner, ids } = await withRedemptions(3);
      const [first = '', second = '', third = ''] = ids;
      const rival = await withRedemptions(1);
      const items: Item[] = [
        { redemptionId: third, newSponsoredUntil: day(3), reason: 'Third' },
        { redemptionId: 'unknown', newSponsoredUntil: day(1) },
        { redemptionId: first, newSponsoredUntil: day(1) },
        { redemptionId: rival.ids[0], newSponsoredUntil: day(1) },
        { redemptionId: second, newSponsoredUntil: '2020-01-01T00:00:00Z' },
      ];
      const rivalRows = await rowsOf(rival.partner);
      const { status, body } = await patch(partner, '/extend', { redemptions: items });
      expect(status).toBe(200);
      expect({ ...body, results: [] }).toEqual({
        ...{ status: 'success', succeeded: 2, failed: 3 },
        results: [],
      });
      expect(
        body.results.map((result: Item) => [result['redemptionId'], result['status']]),
      ).toEqual([
        [third, 'SUCCEEDED'],
        ['unknown', 'FAILED'],
        [first, 'SUCCEEDED'],
        [rival.ids[0], 'FAILED'],
        [second, 'FAILED'],
      ]);
      for (const [index, result] of body.results.entries()) {
        const { redemptionId, ...single }: Item = items[index] ?? {};
        if (result.status === 'SUCCEEDED') {
          const read = await partner.sponsor('GET', `/redemptions/${redemptionId}`);
          expect(result.redemption).toEqual(read.body['redemption']);
          expect(result.redemption).toMatchObject({
            sponsoredUntil: single['newSponsoredUntil'],
            extendedUntil: single['newSponsoredUntil'],
            extensionReason: single['reason'] ?? null,
          });
          expect(result.error).toBeNull();
        } else {
          const refused = await patch(partner, `/${redemptionId}/extend`, single);
          expect(result.redemption).toBeNull();
          expect(withoutRequestId(result.error)).toEqual(
            withoutRequestId({ errors: [], ...refused.body }),
          );
          expect(result.error.requestId).toMatch(/^[\w-]{10,}$/);
        }
      }
      expect(await rowsOf(rival.partner)).toEqual(rivalRows);
      expect((await auditOf(partner, 'extend-redemption')).map(({ targetId }) => targetId)).toEqual(
        expect.arrayContaining([first, third]),
      );
      expect(await auditOf(partner, 'extend-redemption')).toHaveLength(2);
      for (const { sponsoredOrganizationId, sponsoredUntil } of await rowsOf(partner))
        expect(
          await database.prisma.organization.findUnique({
            where: { id: sponsoredOrganizationId },
          }),
        ).toMatchObject({ sponsoredUntil });
    });

    it('With atomic none is extended if one is refused, and the error names every refused item', async () => {
      const { partner, ids } = await withRedemptions(2);
      const before = await rowsOf(partner);
      const items = [
        { redemptionId: ids[0], newSponsoredUntil: day(1) },
        { redemptionId: ids[1], newSponsoredUntil: '2020-01-01T00:00:00Z' },
        { redemptionId: 'unknown', newSponsoredUntil: day(1) },
      ];
      const refused = await patch(partner, '/extend', { redemptions: items, atomic: true });
      expect(refused).toMatchObject({
        status: 400,
        body: {
          status: 'error',
          code: 'BAD_INPUT',
          message: expect.stringMatching(/^redemptions\[1\]: .+; nothing was changed$/),
          errors: [
            { field: 'redemptions[1].newSponsoredUntil', code: 'OUT_OF_RANGE' },
            { field: 'redemptions[2]', code: 'INVALID', message: 'Redemption not found' },
          ],
        },
      });
      const unknownFirst = await patch(partner, '/extend', {
        redemptions: items.toReversed(),
        atomic: true,
      });
      expect(unknownFirst).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await rowsOf(partner)).toEqual(before);
      expect(await auditOf(partner, 'extend-redemption')).toEqual([]);
      const accepted = await patch(partner, '/extend', {
        redemptions: items.slice(0, 1),
        atomic: true,
      });
      expect(accepted).toMatchObject({ status: 200, body: { succeeded: 1, failed: 0 } });
    });

    it('A repetition with the same Idempotency-Key gets the same results and changes nothing', async () => {
      const { partner, ids } = await withRedemptions(2);
      const body = {
        redemptions: [...ids, 'unknown'].map((redemptionId) => ({
          redemptionId,
          newSponsoredUntil: day(1),
        })),
      };
      const key = { 'idempotency-key': 'bulk' };
      const first = await patch(partner, '/extend', body, key);
      const rows = await rowsOf(partner);
      const second = await patch(partner, '/extend', body, key);
      expect(first.body).toMatchObject({ succeeded: 2, failed: 1 });
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(await rowsOf(partner)).toEqual(rows);
      expect(await auditOf(partner, 'extend-redemption')).toHaveLength(2);
      expect((await patch(partner, '/extend', { ...body, atomic: true }, key)).status).toBe(422);
    });

    it('Bulk and single extensions at the same moment each move an end to a later time', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { partner, ids } = await withRedemptions(4);
        const [single = ''] = ids;
        const bulk = (order: readonly string[], until: string) =>
          patch(partner, '/extend', {
            redemptions: order.map((redemptionId) => ({ redemptionId, newSponsoredUntil: until })),
          });
        const answers = await Promise.all([
          bulk(ids, day(2)),
          bulk(ids.toReversed(), day(4)),
          patch(partner, `/${single}/extend`, { newSponsoredUntil: day(3) }),
          patch(partner, `/${single}/extend`, { newSponsoredUntil: day(1) }),
        ]);
        expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
        for (const { sponsoredUntil } of await rowsOf(partner))
          expect(sponsoredUntil.toISOString()).toBe(day(4));
        // Each audit entry of a redemption begins where the one before it ended.
        const entries = (await auditOf(partner, 'extend-redemption')).map(
          ({ targetId, changes }) => ({ targetId, ...Object(changes).sponsoredUntil }),
        );
        const succeeded =
          answers[0].body.succeeded +
          answers[1].body.succeeded +
          answers.slice(2).filter(({ status }) => status === 200).length;
        expect(entries).toHaveLength(succeeded);
        for (const [targetId, chain] of Map.groupBy(entries, (entry) => entry.targetId)) {
          const sorted = chain.toSorted((a, b) => a.to.localeCompare(b.to));
          for (const [index, { from, to }] of sorted.entries()) {
            expect(Date.parse(to)).toBeGreaterThan(Date.parse(from));
            if (index > 0)
              expect({ targetId, from }).toEqual({ targetId, from: sorted[index - 1].to });
          }
        }
      }
    });
  });

  describe('PATCH /redemptions/billing', () => {
    it('Each redemption gets its own billing, with an entry of its history and of the audit log', async () => {
      const { partner, ids } = await withRedemptions(3);
      const [first = '', second = '', third = ''] = ids;
      const { body } = await patch(partner, '/billing', {
        redemptions: [
          { redemptionId: first, billingStatus: 'BILLED', billingAmount: 3.5, billingBatchId: 'A' },
          { redemptionId: second, billingStatus: 'WAIVED' },
          { redemptionId: 'unknown', billingStatus: 'BILLED' },
          { redemptionId: third, billingStatus: 'DISPUTED', billingBatchId: 'B' },
        ],
      });
      expect(body).toMatchObject({
        ...{ succeeded: 3, failed: 1 },
        results: [
          {
            status: 'SUCCEEDED',
            redemption: {
              ...{ id: first, billingStatus: 'BILLED', billingAmount: 3.5, billingBatchId: 'A' },
              billedAt: now.toISOString(),
            },
          },
          { redemption: { id: second, billingStatus: 'WAIVED', billingAmount: 10 } },
          { status: 'FAILED', redemption: null, error: { status: 'error', code: 'NOT_FOUND' } },
          { redemption: { id: third, billingStatus: 'DISPUTED', billingBatchId: 'B' } },
        ],
      });
      const history = await database.prisma.billingChange.findMany({
        where: { organizationId: partner.id },
      });
      expect(
        new Map(history.map(({ redemptionId, ...change }) => [redemptionId, change])),
      ).toMatchObject(
        new Map([
          [first, { statusBefore: 'UNBILLED', status: 'BILLED', batchId: 'A' }],
          [second, { statusBefore: 'UNBILLED', status: 'WAIVED', batchId: null }],
          [third, { statusBefore: 'UNBILLED', status: 'DISPUTED', batchId: 'B' }],
        ]),
      );
      expect(await auditOf(partner, 'set-redemption-billing')).toHaveLength(3);
      // An omitted amount or batch stays, and UNBILLED clears the date and the batch.
      await patch(partner, '/billing', {
        redemptions: [
          { redemptionId: first, billingStatus: 'UNBILLED', billingBatchId: 'ignored' },
          { redemptionId: third, billingStatus: 'BILLED' },
        ],
        atomic: true,
      });
      const rows = new Map((await rowsOf(partner)).map((row) => [row.id, row]));
      expect([first, second, third].map((id) => rows.get(id))).toMatchObject([
        { billingStatus: 'UNBILLED', billedAt: null, billingBatchId: null },
        { billingStatus: 'WAIVED' },
        { billingStatus: 'BILLED', billedAt: now, billingBatchId: 'B' },
      ]);
      expect(await findWrongCounters({ database })).toEqual([]);
    });

    it('With atomic none is changed if one is unknown or of another partner', async () => {
      const { partner, ids } = await withRedemptions(2);
      const rival = await withRedemptions(1);
      for (const foreign of ['unknown', rival.ids[0]]) {
        const refused = await patch(partner, '/billing', {
          redemptions: [...ids, foreign].map((redemptionId) => ({
            redemptionId,
            billingStatus: 'WAIVED',
          })),
          atomic: true,
        });
        expect(refused).toMatchObject({
          status: 404,
          body: {
            message: 'redemptions[2]: Redemption not found; nothing was changed',
            errors: [{ field: 'redemptions[2]' }],
          },
        });
      }
      for (const side of [partner, rival.partner])
        expect(new Set((await rowsOf(side)).map(({ billingStatus }) => billingStatus))).toEqual(
          new Set(['UNBILLED']),
        );
    });
  });

  describe('the list of a bulk call', () => {
    const billing = (redemptionId: string) => ({ redemptionId, billingStatus: 'WAIVED' });
    const unknownIds = (count: number) =>
      Array.from({ length: count }, (_, index) => billing(`unknown-${index}`));
    it.each([
      ['nothing', undefined, 'redemptions', 'REQUIRED'],
      ['one object', billing('a'), 'redemptions', 'WRONG_TYPE'],
      ['an empty list', [], 'redemptions', 'TOO_SHORT'],
      ['1,001 items', unknownIds(1001), 'redemptions', 'TOO_LONG'],
      ['an id twice', [billing('a'), billing('a')], 'redemptions[1].redemptionId', 'REPEATED'],
      ['an item that is null', [null], 'redemptions[0]', 'NOT_NULLABLE'],
      [
        'an unknown status',
        [billing('a'), { redemptionId: 'b', billingStatus: 'PAID' }],
        'redemptions[1].billingStatus',
        'UNKNOWN_VALUE',
      ],
      [
        'a batch that is null',
        [{ ...billing('a'), billingBatchId: null }],
        'redemptions[0].billingBatchId',
        'NOT_NULLABLE',
      ],
    ])('%s is 400, and the error names the field', async (_, redemptions, field, code) => {
      const { partner } = await withRedemptions(0);
      expect(await patch(partner, '/billing', { redemptions })).toMatchObject({
        status: 400,
        body: { code: 'BAD_INPUT', errors: [{ field, code }] },
      });
    });

    it('1,000 items need as many statements as two, and fields that the call does not know are ignored', async () => {
      const { partner, ids } = await withRedemptions(2);
      const items = ids.map(billing).map((item) => ({ ...item, note: 'ignored' }));
      const count = async (redemptions: Item[]) => {
        const { result, statements } = await watch.during(() =>
          patch(partner, '/billing', { redemptions }),
        );
        return { succeeded: result.body.succeeded, statements: statements.length };
      };
      const few = await count(items);
      expect(few.succeeded).toBe(2);
      expect(await count([...items, ...unknownIds(998)])).toEqual(few);
    });
  });
});
