import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../../support/answers.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { textWithoutRequestId } from '../../../support/refusal-body.ts';

let app: TestApp;
let now = new Date('2026-03-31T10:00:00.000Z');
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { clock: () => now });
});
afterAll(() => app.close());

const errorBody = { status: 'error', message: expect.any(String) };

const listRedemptions = async (partner: TestPartner, campaignId: string, query = '') => {
  const path = `/campaigns/${campaignId}/redemptions${query}`;
  return answerOf('listRedemptions', await partner.sponsor('GET', path));
};

/** Creates a partner with one redemption of a campaign that costs 49.90 and lasts one month. */
async function partnerWithRedemption() {
  const partner = await partnerIn(app);
  const campaign = await partner.campaign({ name: 'Spring', durationMonths: 1, includedSeats: 5 });
  await partner.price(campaign.id, 49.9);
  const link = await partner.link(campaign.id, { name: 'Newsletter' });
  const redemption = await partner.redeem(link, { organizationName: 'Acme' });
  return {
    partner,
    campaign,
    link,
    redemption,
    read: async () => (await listRedemptions(partner, campaign.id)).redemptions[0],
  };
}

describe('GET /campaigns/:campaignId/redemptions', () => {
  it('GET redemptions answers with the page fields and exactly the documented fields, and a new redemption has no extension (D29)', async () => {
    now = new Date('2026-01-31T10:00:00.000Z');
    const { partner, campaign, redemption } = await partnerWithRedemption();
    expect(await listRedemptions(partner, campaign.id)).toEqual({
      status: 'success',
      redemptions: [
        {
          id: redemption.id,
          redeemedAt: '2026-01-31T10:00:00.000Z',
          // One month after 31 January (D9).
          sponsoredUntil: '2026-02-28T10:00:00.000Z',
          extendedUntil: null,
          extensionReason: null,
          includedSeats: 5,
          pricing: { model: 'FIXED', amountEur: 49.9, unit: 'PER_REDEMPTION' },
          billingStatus: 'UNBILLED',
          billingAmount: 49.9,
          billedAt: null,
          billingBatchId: null,
          organizationName: 'Acme',
          userEmail: redemption.email,
          linkName: 'Newsletter',
        },
      ],
      total: 1,
      page: 1,
      pageSize: 100,
      totalPages: 1,
    });
  });

  it('A redemption without price and seat limit has null for both', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    await partner.redeem(await partner.link(campaign.id));
    expect((await listRedemptions(partner, campaign.id)).redemptions).toMatchObject([
      { includedSeats: null, pricing: null, billingAmount: null },
    ]);
  });

  it('GET redemptions lists completed redemptions but not reservations', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const link = await partner.link(campaign.id);
    await app.database.prisma.$executeRaw`
      insert into reservations (id, campaign_id, organization_id, link_id, created_at, expires_at)
      values (${`held-${link.id}`}, ${campaign.id}, ${partner.id}, ${link.id}, ${now}, ${new Date(now.getTime() + 1_800_000)})`;
    await app.database.prisma.campaign.update({
      where: { id: campaign.id },
      data: { reservedRedemptions: 1 },
    });
    expect(await listRedemptions(partner, campaign.id)).toMatchObject({
      redemptions: [],
      total: 0,
      totalPages: 0,
    });
  });

  it('Redemptions are listed newest first, and each billing status has its own total', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const link = await partner.link(campaign.id);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      now = new Date(now.getTime() + 1000);
      ids.unshift((await partner.redeem(link)).id);
    }
    for (const id of ids.slice(0, 2))
      await partner.sponsor('PATCH', `/redemptions/${id}/billing`, { billingStatus: 'WAIVED' });
    const idsOf = async (query: string) => {
      const { redemptions, total } = await listRedemptions(partner, campaign.id, query);
      return { total, ids: redemptions.map(({ id }) => id) };
    };
    expect(await idsOf('')).toEqual({ total: 5, ids });
    expect(await idsOf('?billingStatus=WAIVED')).toEqual({ total: 2, ids: ids.slice(0, 2) });
    expect(await idsOf('?billingStatus=UNBILLED&pageSize=2&page=2')).toEqual({
      total: 3,
      ids: ids.slice(4),
    });
    expect(await idsOf('?billingStatus=DISPUTED')).toEqual({ total: 0, ids: [] });
    expect(await idsOf('?page=4&pageSize=2')).toEqual({ total: 5, ids: [] });
    expect(await idsOf('?page=3&pageSize=2')).toEqual({ total: 5, ids: ids.slice(4) });
  });

  it('A campaign of another partner answers 404 (D3)', async () => {
    const { campaign } = await partnerWithRedemption();
    const partner = await partnerIn(app);
    const foreignAnswer = await partner.sponsor('GET', `/campaigns/${campaign.id}/redemptions`);
    expect(foreignAnswer).toMatchObject({ status: 404, body: errorBody });
    expect(textWithoutRequestId(foreignAnswer)).toBe(
      textWithoutRequestId(await partner.sponsor('GET', '/campaigns/unknown/redemptions')),
    );
  });
});

describe('PATCH /redemptions/:redemptionId/extend', () => {
  const workspaceEnd = async (id: string) =>
    (
      await app.database.prisma.organization.findUniqueOrThrow({ where: { id } })
    ).sponsoredUntil?.toISOString();

  it('Extending moves the end of the sponsorship and of its workspace, and the response has three more fields', async () => {
    const { partner, campaign, link, redemption, read } = await partnerWithRedemption();
    const before = await read();
    const { status, body } = await partner.sponsor(
      'PATCH',
      `/redemptions/${redemption.id}/extend`,
      {
        newSponsoredUntil: '2027-01-01T00:00:00+01:00',
        reason: ' Agreed\nwith sales ',
      },
    );
    const extended = {
      ...before,
      sponsoredUntil: '2026-12-31T23:00:00.000Z',
      extendedUntil: '2026-12-31T23:00:00.000Z',
      extensionReason: 'Agreed\nwith sales',
    };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        redemption: {
          ...extended,
          campaignId: campaign.id,
          campaignName: 'Spring',
          linkToken: link['token'],
        },
      },
    });
    expect(await read()).toEqual(extended);
    expect(await workspaceEnd(redemption.organizationId)).toBe('2026-12-31T23:00:00.000Z');
  });

  it('Extending without a reason keeps the previous reason', async () => {
    const { partner, redemption } = await partnerWithRedemption();
    const extend = async (body: unknown) =>
      (await partner.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, body)).body[
        'redemption'
      ];
    expect(await extend({ newSponsoredUntil: '2027-01-01T00:00:00Z' })).toMatchObject({
      extensionReason: null,
    });
    expect(
      await extend({ newSponsoredUntil: '2027-02-01T00:00:00Z', reason: 'First' }),
    ).toMatchObject({ extensionReason: 'First' });
    expect(await extend({ newSponsoredUntil: '2027-03-01T00:00:00Z' })).toMatchObject({
      extensionReason: 'First',
      extendedUntil: '2027-03-01T00:00:00.000Z',
    });
  });

  it('Null clears the previous reason in REST and in GraphQL, and the audit log records it (D48)', async () => {
    const { partner, redemption } = await partnerWithRedemption();
    const extend = async (body: unknown) =>
      (await partner.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, body)).body[
        'redemption'
      ];
    await extend({ newSponsoredUntil: '2027-01-01T00:00:00Z', reason: 'First' });
    expect(await extend({ newSponsoredUntil: '2027-02-01T00:00:00Z', reason: null })).toMatchObject(
      { extensionReason: null },
    );
    // Both entries can have the same millisecond, so their order is not defined.
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: partner.id, action: 'extend-redemption' },
    });
    const reasons = entries.map(({ changes }) => Object(changes).extensionReason);
    expect(reasons).toHaveLength(2);
    expect(reasons).toEqual(expect.arrayContaining(['First', null]));
    await extend({ newSponsoredUntil: '2027-03-01T00:00:00Z', reason: 'Second' });
    const query = `mutation { extendRedemptions(input: { redemptionIds: ["${redemption.id}"], months: 1, reason: null }) { changed } }`;
    expect((await app.graph(partner.key, query)).data).toEqual({
      extendRedemptions: { changed: 1 },
    });
    expect(await extend({ newSponsoredUntil: '2028-01-01T00:00:00Z' })).toMatchObject({
      extensionReason: null,
    });
  });

  it('Extending to a time that is not later than the current end answers 400 and changes nothing', async () => {
    const { partner, redemption, read } = await partnerWithRedemption();
    const before = await read();
    const end = String(before?.sponsoredUntil);
    for (const newSponsoredUntil of [
      end,
      new Date(Date.parse(end) - 1).toISOString(),
      '2001-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
    ]) {
      const answer = await partner.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, {
        newSponsoredUntil,
        reason: 'Too early',
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { status: 'error', message: expect.stringContaining('newSponsoredUntil') },
      });
    }
    expect(await read()).toEqual(before);
    expect(await workspaceEnd(redemption.organizationId)).toBe(end);
    const later = new Date(Date.parse(end) + 1).toISOString();
    expect(
      (
        await partner.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, {
          newSponsoredUntil: later,
        })
      ).status,
    ).toBe(200);
  });

  it('A sponsorship that has ended can be extended, even to a time in the past (D29)', async () => {
    const { partner, redemption, read } = await partnerWithRedemption();
    now = new Date(now.getTime() + 400 * 86_400_000);
    const later = new Date(Date.parse(String((await read())?.sponsoredUntil)) + 1000).toISOString();
    const { status, body } = await partner.sponsor(
      'PATCH',
      `/redemptions/${redemption.id}/extend`,
      { newSponsoredUntil: later },
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { redemption: { sponsoredUntil: later, extendedUntil: later } },
    });
  });

  it('Of a hundred concurrent extensions the latest one wins, and each accepted one is later than the one before', async () => {
    const { partner, redemption, read } = await partnerWithRedemption();
    const before = (await read())?.sponsoredUntil;
    const start = Date.parse('2030-01-01T00:00:00Z');
    const requestedEnds = Array.from({ length: 100 }, (_, index) =>
      new Date(start + ((index * 37) % 100) * 86_400_000).toISOString(),
    );
    const answers = await Promise.all(
      requestedEnds.map((newSponsoredUntil) =>
        partner.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, { newSponsoredUntil }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const accepted = requestedEnds.filter((_, index) => answers[index]?.status === 200).toSorted();
    expect(accepted.at(-1)).toBe(requestedEnds.toSorted().at(-1));
    expect(await read()).toMatchObject({
      sponsoredUntil: accepted.at(-1),
      extendedUntil: accepted.at(-1),
    });
    expect(await workspaceEnd(redemption.organizationId)).toBe(accepted.at(-1));
    const auditEntries = await app.database.prisma.auditEntry.findMany({
      where: { targetId: redemption.id, action: 'extend-redemption' },
    });
    const steps = auditEntries
      .map(({ changes }) => Object(changes).sponsoredUntil as { from: string; to: string })
      .toSorted((a, b) => a.to.localeCompare(b.to));
    expect(steps.map(({ to }) => to)).toEqual(accepted);
    expect(steps.map(({ from }) => from)).toEqual([before, ...accepted.slice(0, -1)]);
  });

  it('Changing a redemption of another partner answers 404 and changes nothing (D3)', async () => {
    const { redemption, read } = await partnerWithRedemption();
    const before = await read();
    const otherPartner = await partnerIn(app);
    for (const [action, body] of [
      ['extend', { newSponsoredUntil: '2040-01-01T00:00:00Z' }],
      ['extend', { newSponsoredUntil: '2001-01-01T00:00:00Z' }],
      ['billing', { billingStatus: 'WAIVED', billingAmount: 0 }],
    ] as const) {
      const foreignAnswer = await otherPartner.sponsor(
        'PATCH',
        `/redemptions/${redemption.id}/${action}`,
        body,
      );
      expect(foreignAnswer).toMatchObject({ status: 404, body: errorBody });
      expect(textWithoutRequestId(foreignAnswer)).toBe(
        textWithoutRequestId(
          await otherPartner.sponsor('PATCH', `/redemptions/unknown/${action}`, body),
        ),
      );
    }
    expect(await read()).toEqual(before);
  });

  it('A sponsored workspace does not have the partner feature', async () => {
    const { redemption } = await partnerWithRedemption();
    const workspace = await app.database.prisma.organization.findUniqueOrThrow({
      where: { id: redemption.organizationId },
    });
    expect(workspace.features).not.toContain('partnerSponsorship');
  });
});

describe('PATCH /redemptions/:redemptionId/billing', () => {
  const statuses = ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'] as const;

  it('PATCH billing answers with status and success', async () => {
    const { partner, redemption } = await partnerWithRedemption();
    const { status, body } = await partner.sponsor(
      'PATCH',
      `/redemptions/${redemption.id}/billing`,
      { billingStatus: 'BILLED' },
    );
    expect({ status, body }).toEqual({ status: 200, body: { status: 'success', success: true } });
  });

  it('BILLED sets billedAt once, omitted amounts and batches stay, and UNBILLED clears date and batch (D25)', async () => {
    now = new Date('2026-06-01T00:00:00.000Z');
    const { partner, redemption, read } = await partnerWithRedemption();
    const bill = async (at: string, body: unknown) => {
      now = new Date(at);
      expect(
        (await partner.sponsor('PATCH', `/redemptions/${redemption.id}/billing`, body)).status,
      ).toBe(200);
      const redeemed = await read();
      return [
        redeemed?.billingStatus,
        redeemed?.billingAmount,
        redeemed?.billedAt,
        redeemed?.billingBatchId,
      ];
    };
    const first = '2026-06-02T00:00:00.000Z';
    expect(
      await bill(first, { billingStatus: 'BILLED', billingAmount: 12.34, billingBatchId: 'INV-1' }),
    ).toEqual(['BILLED', 12.34, first, 'INV-1']);
    expect(await bill('2026-06-03T00:00:00.000Z', { billingStatus: 'BILLED' })).toEqual([
      'BILLED',
      12.34,
      first,
      'INV-1',
    ]);
    expect(
      await bill('2026-06-04T00:00:00.000Z', { billingStatus: 'DISPUTED', billingAmount: 0 }),
    ).toEqual(['DISPUTED', 0, first, 'INV-1']);
    expect(
      await bill('2026-06-05T00:00:00.000Z', {
        billingStatus: 'WAIVED',
        billingBatchId: 'CREDIT-1',
      }),
    ).toEqual(['WAIVED', 0, first, 'CREDIT-1']);
    expect(await bill('2026-06-06T00:00:00.000Z', { billingStatus: 'UNBILLED' })).toEqual([
      'UNBILLED',
      0,
      null,
      null,
    ]);
    expect(await bill('2026-06-07T00:00:00.000Z', { billingStatus: 'BILLED' })).toEqual([
      'BILLED',
      0,
      '2026-06-07T00:00:00.000Z',
      null,
    ]);
    expect(
      await bill('2026-06-08T00:00:00.000Z', {
        billingStatus: 'UNBILLED',
        billingAmount: 3,
        billingBatchId: 'INV-2',
      }),
    ).toEqual(['UNBILLED', 3, null, null]);
  });

  it('Every billing status can follow every other one and itself, and the history has each change (D25)', async () => {
    const { partner, redemption } = await partnerWithRedemption();
    const statusSequence = statuses.flatMap((from) => statuses.flatMap((to) => [from, to]));
    for (const billingStatus of statusSequence) {
      expect(
        (await partner.sponsor('PATCH', `/redemptions/${redemption.id}/billing`, { billingStatus }))
          .status,
      ).toBe(200);
    }
    const history = await app.database.prisma.billingChange.findMany({
      where: { redemptionId: redemption.id },
      orderBy: { id: 'asc' },
    });
    expect(history).toHaveLength(statusSequence.length);
    const pairs = new Set(history.map(({ statusBefore, status }) => `${statusBefore} ${status}`));
    expect(pairs.size).toBe(16);
    expect(history[0]).toMatchObject({
      statusBefore: 'UNBILLED',
      actorKeyId: partner.keyId,
      actorUserId: null,
      organizationId: partner.id,
    });
  });

  it('The history has each of twenty concurrent billing changes, each starting from the status that the one before set', async () => {
    const { partner, redemption, read } = await partnerWithRedemption();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        partner.sponsor('PATCH', `/redemptions/${redemption.id}/billing`, {
          billingStatus: statuses[index % 4],
          billingAmount: index,
        }),
      ),
    );
    const history = await app.database.prisma.billingChange.findMany({
      where: { redemptionId: redemption.id },
      orderBy: { id: 'asc' },
    });
    expect(history).toHaveLength(20);
    const valuesOf = (pick: 'status' | 'statusBefore') => history.map((change) => change[pick]);
    const last = await read();
    expect(valuesOf('statusBefore')).toEqual(['UNBILLED', ...valuesOf('status').slice(0, -1)]);
    expect(history.at(-1)).toMatchObject({ status: last?.billingStatus });
    expect(history.at(-1)?.amount?.toNumber()).toBe(last?.billingAmount);
  });

  it('A billing change updates the campaign’s totals by status and by month', async () => {
    const { partner, campaign, redemption } = await partnerWithRedemption();
    await partner.sponsor('PATCH', `/redemptions/${redemption.id}/billing`, {
      billingStatus: 'BILLED',
      billingAmount: 20,
    });
    expect(await listRedemptions(partner, campaign.id, '?billingStatus=UNBILLED')).toMatchObject({
      total: 0,
    });
    expect(await listRedemptions(partner, campaign.id, '?billingStatus=BILLED')).toMatchObject({
      total: 1,
    });
    const months = await app.database.prisma.$queryRaw<
      { status: string; count: number; amount: number }[]
    >`
      select billing_status::text as status, sum(redemptions)::int as count, sum(amount_eur)::float8 as amount
      from redemption_month_deltas where campaign_id = ${campaign.id} group by 1 having sum(redemptions) <> 0`;
    expect(months).toEqual([{ status: 'BILLED', count: 1, amount: 20 }]);
  });

  it('A billing amount is stored exactly to the cent', async () => {
    const { partner, redemption, read } = await partnerWithRedemption();
    for (const billingAmount of [
      0,
      0.01,
      0.1 + 0.2,
      1234567.89,
      100_000_000_000,
      99_999_999_999.99,
    ]) {
      await partner.sponsor('PATCH', `/redemptions/${redemption.id}/billing`, {
        billingStatus: 'BILLED',
        billingAmount,
      });
      expect((await read())?.billingAmount).toBeCloseTo(billingAmount, 9);
    }
  });
});

describe('redemption over REST', () => {
  it('The REST API has no path to preview, validate or redeem a link (D28)', async () => {
    const { partner, link, campaign } = await partnerWithRedemption();
    const token = String(link['token']);
    for (const path of [
      `/links/${token}`,
      `/links/${link.id}`,
      `/links/${link.id}/redeem`,
      `/links/${link.id}/validate`,
      `/links/${token}/redeem`,
      `/links/${token}/validate`,
      `/redeem/${token}`,
      `/validate/${token}`,
      '/redeem',
      '/validate',
      '/reservations',
      '/redemptions',
      `/campaigns/${campaign.id}/redeem`,
      `/campaigns/${campaign.id}/reservations`,
    ]) {
      for (const method of ['GET', 'POST', 'PUT']) {
        const { status } = await partner.sponsor(
          method,
          path,
          method === 'GET' ? undefined : { token },
        );
        // A known path answers 405 for another method. A link is read by its id, and never by the
        // token that it hands out.
        const read = path === `/links/${link.id}` ? 200 : 404;
        const isLink = path === `/links/${token}` || path === `/links/${link.id}`;
        expect({ method, path, status }).toEqual({
          method,
          path,
          status: method === 'GET' ? read : isLink ? 405 : 404,
        });
      }
    }
    for (const path of [
      `/api/auth?sponsored=${token}`,
      '/api/redeem',
      '/api/sponsorship',
      `/api/v1/redeem/${token}`,
    ]) {
      expect(
        (
          await app.request('POST', path, {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ token }),
          })
        ).status,
      ).toBe(401);
      expect((await partner.call('POST', path, { token })).status).toBe(404);
    }
  });
});
