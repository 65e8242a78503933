import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../../support/answers.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { partnerIn } from '../../../support/partner.ts';
import { textWithoutRequestId } from '../../../support/refusal-body.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
});
afterAll(() => app.close());

const isoMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const errorBody = { status: 'error', message: expect.any(String) };

const newCampaign = {
  id: expect.any(String),
  name: 'Spring',
  durationMonths: 3,
  maxRedemptions: null,
  expiresAt: null,
  includedSeats: null,
  allowedEmailDomains: [],
  allowedEmails: [],
  pricing: null,
  isActive: true,
  createdAt: expect.stringMatching(isoMs),
  updatedAt: expect.stringMatching(isoMs),
  completedRedemptionsCount: 0,
  reservedRedemptionsCount: 0,
};

describe('POST /campaigns', () => {
  it('POST /campaigns answers 200 with exactly the documented fields, and omitted ones are null or empty (D1)', async () => {
    const partner = await partnerIn(app);
    const { status, body } = await partner.sponsor('POST', '/campaigns', {
      name: ' Spring ',
      durationMonths: 3,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', campaign: newCampaign },
    });
  });

  it('POST /campaigns stores every term, with domains and addresses normalized and without duplicates', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({
      name: '😀'.repeat(200),
      durationMonths: 6,
      maxRedemptions: 2_147_483_647,
      expiresAt: '2030-02-28T12:00:00+02:00',
      includedSeats: 1000,
      allowedEmailDomains: [
        'Bücher.example',
        'xn--bcher-kva.example',
        ' sub.Example.com ',
        'example.com',
        'EXAMPLE.COM',
      ],
      allowedEmails: ['Ada@Example.com', 'ada@example.com', 'bob@bücher.example'],
    });
    expect(campaign).toEqual({
      ...newCampaign,
      name: '😀'.repeat(200),
      durationMonths: 6,
      maxRedemptions: 2_147_483_647,
      expiresAt: '2030-02-28T10:00:00.000Z',
      includedSeats: 1000,
      allowedEmailDomains: ['xn--bcher-kva.example', 'sub.example.com', 'example.com'],
      allowedEmails: ['ada@example.com', 'bob@xn--bcher-kva.example'],
    });
  });

  it('A partner cannot set the price of a campaign (D23), and unknown fields are ignored (D6)', async () => {
    const partner = await partnerIn(app);
    const pricing = { model: 'FIXED', amountEur: 0, unit: 'PER_REDEMPTION' };
    const campaign = await partner.campaign({
      pricing,
      id: 'mine',
      isActive: false,
      completedRedemptionsCount: 7,
      organizationId: 'x',
    });
    expect(campaign).toEqual(newCampaign);
    expect(campaign.id).not.toBe('mine');
    const patched = await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, {
      pricing,
      completedRedemptionsCount: 9,
    });
    expect(patched).toMatchObject({ status: 200, body: { campaign } });
  });

  it('Null means no limit, no end and no seat limit', async () => {
    const partner = await partnerIn(app);
    const emptyTerms = { maxRedemptions: null, expiresAt: null, includedSeats: null };
    expect(await partner.campaign(emptyTerms)).toEqual(newCampaign);
  });

  it('An end in the past is accepted (D26)', async () => {
    const partner = await partnerIn(app);
    expect(await partner.campaign({ expiresAt: '2001-01-01T00:00:00Z' })).toMatchObject({
      expiresAt: '2001-01-01T00:00:00.000Z',
    });
  });

  it('A campaign can have 10,000 allowed addresses', async () => {
    const partner = await partnerIn(app);
    const allowedEmails = Array.from(
      { length: 10_000 },
      (_, index) => `person${index}@example.com`,
    );
    const campaign = await partner.campaign({ allowedEmails });
    expect(campaign['allowedEmails']).toEqual(allowedEmails);
  });
});

describe('GET /campaigns', () => {
  it('GET /campaigns answers with the page fields and the campaigns, newest first, 50 per page', async () => {
    const partner = await partnerIn(app);
    const [first, second] = [
      await partner.campaign({ name: 'First' }),
      await partner.campaign({ name: 'Second' }),
    ];
    const { status, body } = await partner.sponsor('GET', '/campaigns');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        campaigns: [second, first],
        total: 2,
        page: 1,
        pageSize: 50,
        totalPages: 1,
      },
    });
  });

  it('GET /campaigns answers with an empty page for a partner without campaigns', async () => {
    const partner = await partnerIn(app);
    const { body } = await partner.sponsor('GET', '/campaigns');
    expect(body).toEqual({
      status: 'success',
      campaigns: [],
      total: 0,
      page: 1,
      pageSize: 50,
      totalPages: 0,
    });
  });

  it('The parameter status selects active or inactive campaigns, each with its own total', async () => {
    const partner = await partnerIn(app);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await partner.campaign()).id);
    for (const id of ids.slice(0, 2))
      await partner.sponsor('PATCH', `/campaigns/${id}`, { isActive: false });
    const listCampaigns = async (query: string) => {
      const answer = await partner.sponsor('GET', `/campaigns${query}`);
      const { total, campaigns } = answerOf('listCampaigns', answer);
      return { total, ids: campaigns.map(({ id }) => id) };
    };
    expect(await listCampaigns('?status=active')).toEqual({
      total: 3,
      ids: ids.slice(2).reverse(),
    });
    expect(await listCampaigns('?status=inactive')).toEqual({
      total: 2,
      ids: ids.slice(0, 2).reverse(),
    });
    expect(await listCampaigns('?status=all')).toEqual({ total: 5, ids: ids.toReversed() });
    expect(await listCampaigns('')).toEqual({ total: 5, ids: ids.toReversed() });
  });

  it('No page repeats or skips a campaign if all were created at the same moment, and pages after the last one are empty (D7)', async () => {
    const partner = await partnerIn(app);
    await app.database.prisma.$executeRaw`
      insert into campaigns (id, organization_id, name, duration_months, created_at)
      select ${partner.id} || (n * 7 % 44), ${partner.id}, 'Tie', 1, timestamptz '2026-01-01' from generate_series(1, 44) n`;
    const listedIds: string[] = [];
    for (let page = 1; page <= 5; page += 1) {
      const answer = await partner.sponsor('GET', `/campaigns?pageSize=10&page=${page}`);
      expect(answer.body).toMatchObject({ total: 44, totalPages: 5, page, pageSize: 10 });
      listedIds.push(...answerOf('listCampaigns', answer).campaigns.map(({ id }) => id));
    }
    expect(listedIds).toEqual(listedIds.toSorted().toReversed());
    expect(new Set(listedIds).size).toBe(44);
    for (const page of [6, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await partner.sponsor('GET', `/campaigns?pageSize=10&page=${page}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'success', campaigns: [], total: 44, page, pageSize: 10, totalPages: 5 },
      });
    }
  });

  it('A reservation stops counting the moment it expires, even if its row still exists', async () => {
    let now = new Date('2026-05-05T10:00:00.000Z');
    const clockedApp = await testApp({}, { clock: () => now });
    const partner = await partnerIn(clockedApp);
    const campaign = await partner.campaign({ maxRedemptions: 5 });
    const link = await partner.link(campaign.id);
    await clockedApp.database.prisma.$executeRaw`
      insert into reservations (id, campaign_id, organization_id, link_id, created_at, expires_at)
      values ('live', ${campaign.id}, ${partner.id}, ${link.id}, ${now}, ${new Date(now.getTime() + 1_800_000)})`;
    await clockedApp.database.prisma.campaign.update({
      where: { id: campaign.id },
      data: { reservedRedemptions: 1 },
    });
    const reserved = async () =>
      answerOf('listCampaigns', await partner.sponsor('GET', '/campaigns')).campaigns[0]
        ?.reservedRedemptionsCount;
    now = new Date('2026-05-05T10:29:59.999Z');
    expect(await reserved()).toBe(1);
    now = new Date('2026-05-05T10:30:00.000Z');
    expect(await reserved()).toBe(0);
    await clockedApp.close();
  });
});

describe('PATCH /campaigns/:campaignId', () => {
  it('PATCH /campaigns changes only the given terms, and null clears a term (D6)', async () => {
    const partner = await partnerIn(app);
    const terms = {
      maxRedemptions: 5,
      expiresAt: '2030-01-01T00:00:00.000Z',
      includedSeats: 7,
      allowedEmailDomains: ['a.example'],
      allowedEmails: ['a@b.example'],
    };
    const { updatedAt: _, ...campaign } = await partner.campaign(terms);
    const patch = async (body: unknown) => {
      const answer = await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, body);
      expect(answer.status).toBe(200);
      return answer.body['campaign'];
    };
    expect(await patch({ name: 'Autumn' })).toMatchObject({ ...campaign, name: 'Autumn' });
    expect(await patch({ maxRedemptions: null })).toMatchObject({
      ...campaign,
      name: 'Autumn',
      maxRedemptions: null,
    });
    expect(await patch({ expiresAt: null, includedSeats: null })).toMatchObject({
      ...terms,
      maxRedemptions: null,
      expiresAt: null,
      includedSeats: null,
    });
    expect(await patch({ allowedEmailDomains: [], allowedEmails: ['C@D.example'] })).toMatchObject({
      allowedEmailDomains: [],
      allowedEmails: ['c@d.example'],
    });
    expect(
      await patch({
        isActive: false,
        durationMonths: 1,
        includedSeats: 1,
        maxRedemptions: 1,
        expiresAt: '2031-01-01T00:00:00Z',
      }),
    ).toMatchObject({
      isActive: false,
      durationMonths: 1,
      includedSeats: 1,
      maxRedemptions: 1,
      expiresAt: '2031-01-01T00:00:00.000Z',
    });
    expect(await patch({ isActive: true })).toMatchObject({ isActive: true });
  });

  it('An empty object answers 200 and changes nothing, not even updatedAt (D6)', async () => {
    let now = new Date('2026-05-05T10:00:00.000Z');
    const clockedApp = await testApp({}, { clock: () => now });
    const partner = await partnerIn(clockedApp);
    const campaign = await partner.campaign();
    now = new Date('2026-05-05T11:00:00.000Z');
    expect(
      (await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, {})).body['campaign'],
    ).toEqual(campaign);
    expect((await partner.sponsor('PATCH', `/campaigns/${campaign.id}`)).body['campaign']).toEqual(
      campaign,
    );
    expect(
      await clockedApp.database.prisma.auditEntry.count({ where: { action: 'update-campaign' } }),
    ).toBe(0);
    const { body } = await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, {
      isActive: true,
    });
    expect(body['campaign']).toEqual({ ...campaign, updatedAt: '2026-05-05T11:00:00.000Z' });
    await clockedApp.close();
  });

  it('A limit below the number of completed redemptions is accepted and prevents further ones (D26)', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ maxRedemptions: 5 });
    const link = await partner.link(campaign.id);
    for (let index = 0; index < 3; index += 1) await partner.redeem(link);
    const { status, body } = await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, {
      maxRedemptions: 1,
    });
    expect({ status, campaign: body['campaign'] }).toMatchObject({
      status: 200,
      campaign: { maxRedemptions: 1, completedRedemptionsCount: 3 },
    });
    await expect(partner.redeem(link)).rejects.toMatchObject({ reason: 'CAMPAIGN_EXHAUSTED' });
  });

  it('Changed terms do not affect earlier redemptions (D26)', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign({ includedSeats: 5 });
    await partner.price(campaign.id, 12.5);
    const link = await partner.link(campaign.id);
    await partner.redeem(link);
    const before = await partner.sponsor('GET', `/campaigns/${campaign.id}/redemptions`);
    await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, {
      durationMonths: 1,
      includedSeats: 9,
    });
    await partner.price(campaign.id, 99);
    expect((await partner.sponsor('GET', `/campaigns/${campaign.id}/redemptions`)).body).toEqual(
      before.body,
    );
    expect((await partner.sponsor('GET', '/campaigns')).body['campaigns']).toMatchObject([
      { pricing: { model: 'FIXED', amountEur: 99, unit: 'PER_REDEMPTION' } },
    ]);
  });

  it('A campaign of another partner and an unknown one get the same 404, and nothing changes (D3)', async () => {
    const [partner, rival] = [await partnerIn(app), await partnerIn(app)];
    const foreignCampaign = await rival.campaign();
    for (const body of [{ name: 'Ours' }, {}]) {
      const foreignAnswer = await partner.sponsor(
        'PATCH',
        `/campaigns/${foreignCampaign.id}`,
        body,
      );
      const unknownAnswer = await partner.sponsor(
        'PATCH',
        '/campaigns/0190b7e5-0000-7000-8000-000000000000',
        body,
      );
      expect(foreignAnswer).toMatchObject({ status: 404, body: errorBody });
      expect(textWithoutRequestId(foreignAnswer)).toBe(textWithoutRequestId(unknownAnswer));
    }
    expect((await rival.sponsor('GET', '/campaigns')).body['campaigns']).toEqual([foreignCampaign]);
  });

  it('Input is checked before the campaign is looked up (D2)', async () => {
    const partner = await partnerIn(app);
    expect(
      (await partner.sponsor('PATCH', '/campaigns/unknown', { durationMonths: 7 })).status,
    ).toBe(400);
  });
});
