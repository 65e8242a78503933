import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requireRunningSponsorship } from '../../../src/modules/sponsorship/redeeming/require-running-sponsorship.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { partnerIn, type TestPartner } from '../../support/partner.ts';
import { watchStatements } from '../../support/statements.ts';

let app: TestApp;
const now = new Date('2026-05-15T10:00:00.000Z');
const watch = watchStatements();
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { clock: () => now });
});
afterAll(async () => {
  watch.stop();
  await app.close();
});

const dayMs = 86_400_000;
const clockAt = (time: string) => () => new Date(time);

const namePage = z.object({ totalCount: z.int(), nodes: z.array(z.object({ name: z.string() })) });
const idPage = z.object({ nodes: z.array(z.object({ id: z.string() })) });
const redemptionPage = z.object({
  nodes: z.array(z.looseObject({ link: z.object({ name: z.string() }) })),
});
const campaignPage = z.object({
  nodes: z.array(z.looseObject({ name: z.string(), redemptions: redemptionPage.loose() })),
});

async function runQuery(
  partner: TestPartner,
  query: string,
  variables: Record<string, unknown> = {},
) {
  const { data, errors } = await app.graph(partner.key, query, variables);
  expect(errors).toEqual([]);
  return data ?? {};
}

async function partnerWithCampaigns(
  campaigns: number,
  redemptionsPerCampaign: number,
): Promise<TestPartner> {
  const partner = await partnerIn(app);
  for (let index = 0; index < campaigns; index += 1) {
    const campaign = await partner.campaign({ name: `Campaign ${index}`, includedSeats: 5 });
    await partner.price(campaign.id, 10);
    for (let nth = 0; nth < redemptionsPerCampaign; nth += 1) {
      const { id } = await partner.redeem(await partner.link(campaign.id));
      await partner.sponsor('PATCH', `/redemptions/${id}/billing`, { billingStatus: 'BILLED' });
    }
    await insertReservation(partner, campaign.id, index);
  }
  return partner;
}

async function insertReservation(
  partner: TestPartner,
  campaignId: string,
  nth: number,
  until = new Date(now.getTime() + 1_800_000),
) {
  const link = await partner.link(campaignId);
  await app.database.prisma.$executeRaw`
    insert into reservations (id, campaign_id, organization_id, link_id, created_at, expires_at)
    values (${`${campaignId}-${nth}`}, ${campaignId}, ${partner.id}, ${link.id}, ${new Date(until.getTime() - 1_800_000)}, ${until})`;
  await app.database.prisma.campaign.update({
    where: { id: campaignId },
    data: { reservedRedemptions: { increment: 1 } },
  });
  return link;
}

const dashboardQuery = /* GraphQL */ `
  query Dashboard {
    campaigns(pageSize: 5, orderBy: { field: COMPLETED_REDEMPTIONS, direction: DESC }) {
      totalCount
      nodes {
        name
        seats { sponsorships given used }
        links(pageSize: 3) { totalCount nodes { name url campaign { name } } }
        redemptions(pageSize: 3, billingStatus: BILLED) {
          totalCount
          nodes { organizationName usedSeats link { name } campaign { name } billingChanges(pageSize: 2) { totalCount nodes { statusBefore status amount } } }
        }
        reservations(pageSize: 3) { totalCount nodes { expiresAt link { name } } }
      }
    }
    redemptionMonths(months: 12) { month redemptions amountEur byBillingStatus { billingStatus redemptions amountEur } }
    expiringRedemptions(days: 100, pageSize: 5) { totalCount nodes { organizationName sponsoredUntil } }
  }
`;

describe('a partner’s dashboard', () => {
  it('The partner’s dashboard needs the same number of statements for few and for many campaigns', async () => {
    const [small, large] = [await partnerWithCampaigns(1, 1), await partnerWithCampaigns(5, 3)];
    // The first queries open connections, which run additional statements.
    for (const partner of [small, large]) await runQuery(partner, dashboardQuery);
    const few = await watch.during(() => runQuery(small, dashboardQuery));
    const many = await watch.during(() => runQuery(large, dashboardQuery));
    expect(many.statements).toHaveLength(few.statements.length);
    expect(many.result['campaigns']).toMatchObject({ totalCount: 5 });
  });

  it('The dashboard shows each campaign with its own links, redemptions and reservations', async () => {
    const partner = await partnerWithCampaigns(2, 2);
    const { campaigns, expiringRedemptions } = await runQuery(partner, dashboardQuery);
    const billed = {
      totalCount: 1,
      nodes: [{ statusBefore: 'UNBILLED', status: 'BILLED', amount: 10 }],
    };
    const campaignNamed = (name: string) => ({
      name,
      seats: { sponsorships: 2, given: 10, used: 2 },
      links: {
        totalCount: 3,
        nodes: expect.arrayContaining([
          { name: 'Link 1', url: expect.stringContaining('/auth?sponsored='), campaign: { name } },
        ]),
      },
      redemptions: {
        totalCount: 2,
        nodes: ['Link 2', 'Link 1'].map((link) => ({
          organizationName: 'Sponsored Ltd',
          usedSeats: 1,
          link: { name: link },
          campaign: { name },
          billingChanges: billed,
        })),
      },
      reservations: {
        totalCount: 1,
        nodes: [{ expiresAt: expect.any(String), link: { name: 'Link 3' } }],
      },
    });
    const { nodes } = campaignPage.parse(campaigns);
    const sorted = nodes.toSorted((a, b) => a.name.localeCompare(b.name));
    // All redemptions have the same time, so only their ids decide the order.
    for (const { redemptions } of sorted)
      redemptions.nodes.sort((a, b) => b.link.name.localeCompare(a.link.name));
    expect(sorted).toEqual([campaignNamed('Campaign 0'), campaignNamed('Campaign 1')]);
    expect(expiringRedemptions).toMatchObject({ totalCount: 4 });
  });
});

describe('campaigns', () => {
  it('Campaigns can be searched by name and sorted', async () => {
    const partner = await partnerIn(app);
    await partner.campaign({ name: 'b 100%', expiresAt: '2030-01-01T00:00:00Z' });
    await partner.campaign({ name: 'A_1', expiresAt: '2029-01-01T00:00:00Z' });
    const third = await partner.campaign({ name: 'c 1000' });
    await partner.redeem(await partner.link(third.id));
    const names = async (args: string) => {
      const { campaigns } = await runQuery(
        partner,
        `{ campaigns(${args}) { totalCount nodes { name } } }`,
      );
      const { totalCount, nodes } = namePage.parse(campaigns);
      expect(totalCount).toBe(nodes.length);
      return nodes.map(({ name }) => name);
    };
    expect(await names('orderBy: { field: NAME, direction: ASC }')).toEqual([
      'A_1',
      'b 100%',
      'c 1000',
    ]);
    expect(await names('orderBy: { field: EXPIRES_AT, direction: ASC }')).toEqual([
      'A_1',
      'b 100%',
      'c 1000',
    ]);
    expect((await names('orderBy: { field: COMPLETED_REDEMPTIONS, direction: DESC }'))[0]).toBe(
      'c 1000',
    );
    expect(await names('search: "100%"')).toEqual(['b 100%']);
    expect(await names('search: "a_"')).toEqual(['A_1']);
    expect(await names('search: "C 1", status: ACTIVE')).toEqual(['c 1000']);
    expect(await names('search: "C 1", status: INACTIVE')).toEqual([]);
  });
});

describe('redemptions by month', () => {
  it('redemptionMonths lists the redemptions and amounts of each month by billing status, including months without redemptions', async () => {
    const partner = await partnerIn(app);
    const [firstCampaign, secondCampaign] = [await partner.campaign(), await partner.campaign()];
    await partner.price(firstCampaign.id, 0.1);
    await partner.price(secondCampaign.id, 0.2);
    const [link, otherLink] = [
      await partner.link(firstCampaign.id),
      await partner.link(secondCampaign.id),
    ];
    // The last millisecond of a month and the first of the next belong to different months in UTC.
    await partner.redeem(link, { at: clockAt('2026-03-31T23:59:59.999Z') });
    const april = await partner.redeem(link, { at: clockAt('2026-04-01T00:00:00.000Z') });
    await partner.redeem(otherLink, { at: clockAt('2026-04-30T12:00:00.000Z') });
    await partner.redeem(link, { at: clockAt('2025-01-01T00:00:00.000Z') });
    await partner.sponsor('PATCH', `/redemptions/${april.id}/billing`, {
      billingStatus: 'BILLED',
      billingAmount: 7,
    });
    const months = async (args: string) =>
      (
        await runQuery(
          partner,
          `{ redemptionMonths(${args}) { month redemptions amountEur byBillingStatus { billingStatus redemptions amountEur } } }`,
        )
      )['redemptionMonths'];
    const zeros = { redemptions: 0, amountEur: 0 };
    const billingStatuses = ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'];
    const byStatus = (amounts: Record<string, object>) =>
      billingStatuses.map((billingStatus) => ({
        billingStatus,
        ...zeros,
        ...amounts[billingStatus],
      }));
    expect(await months('months: 3')).toEqual([
      {
        month: '2026-03-01T00:00:00.000Z',
        redemptions: 1,
        amountEur: 0.1,
        byBillingStatus: byStatus({ UNBILLED: { redemptions: 1, amountEur: 0.1 } }),
      },
      {
        month: '2026-04-01T00:00:00.000Z',
        redemptions: 2,
        amountEur: 7.2,
        byBillingStatus: byStatus({
          UNBILLED: { redemptions: 1, amountEur: 0.2 },
          BILLED: { redemptions: 1, amountEur: 7 },
        }),
      },
      { month: '2026-05-01T00:00:00.000Z', ...zeros, byBillingStatus: byStatus({}) },
    ]);
    expect(await months(`months: 2, campaignId: "${secondCampaign.id}"`)).toMatchObject([
      { redemptions: 1, amountEur: 0.2 },
      zeros,
    ]);
    expect(await months('months: 17')).toMatchObject([
      { month: '2025-01-01T00:00:00.000Z', redemptions: 1 },
      ...Array.from({ length: 16 }, () => ({})),
    ]);
  });

  it('redemptionMonths answers NOT_FOUND for a campaign of another partner', async () => {
    const [partner, rival] = [await partnerIn(app), await partnerIn(app)];
    const foreignCampaign = await rival.campaign();
    const { errors } = await app.graph(
      partner.key,
      `{ redemptionMonths(campaignId: "${foreignCampaign.id}") { month } }`,
    );
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});

describe('expiring redemptions', () => {
  it('expiringRedemptions lists the sponsorships that end within the given days, soonest first, without ended ones', async () => {
    const partner = await partnerIn(app);
    const link = await partner.link((await partner.campaign({ durationMonths: 1 })).id);
    const ended = await partner.redeem(link, { at: () => new Date('2026-04-01T00:00:00.000Z') });
    const second = await partner.redeem(link, { at: () => new Date('2026-04-25T00:00:00.000Z') });
    const first = await partner.redeem(link, { at: () => new Date('2026-04-20T00:00:00.000Z') });
    await partner.redeem(link);
    const ids = async (days: number) => {
      const { expiringRedemptions } = await runQuery(
        partner,
        'query ($days: Int!) { expiringRedemptions(days: $days) { totalCount nodes { id } } }',
        { days },
      );
      return idPage.parse(expiringRedemptions).nodes.map(({ id }) => id);
    };
    expect(await ids(10)).toEqual([first.id, second.id]);
    expect(await ids(5)).toEqual([first.id]);
    expect(await ids(60)).toHaveLength(3);
    expect(await ids(366)).not.toContain(ended.id);
  });
});

describe('the reservations of a campaign', () => {
  it('Campaign.reservations lists the live reservations, newest first', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    await insertReservation(partner, campaign.id, 1, new Date(now.getTime()));
    const early = await insertReservation(partner, campaign.id, 2, new Date(now.getTime() + 1));
    const late = await insertReservation(partner, campaign.id, 3, new Date(now.getTime() + 1000));
    const query = `{ campaign(campaignId: "${campaign.id}") { reservedRedemptionsCount reservations { totalCount nodes { link { id } } } } }`;
    expect(await runQuery(partner, query)).toEqual({
      campaign: {
        reservedRedemptionsCount: 2,
        reservations: {
          totalCount: 2,
          nodes: [{ link: { id: late.id } }, { link: { id: early.id } }],
        },
      },
    });
  });
});

describe('GraphQL', () => {
  it('GraphQL has the operations of the REST API, with the same rules and error codes', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign();
    const link = await partner.link(id);
    const codes = async (query: string) =>
      (await app.graph(partner.key, query)).errors.map(({ extensions }) => extensions?.code);
    for (const query of [
      'mutation { createCampaign(input: { name: "x", durationMonths: 7 }) { campaign { id } } }',
      'mutation { createCampaign(input: { name: "", durationMonths: 1 }) { campaign { id } } }',
      'mutation { createCampaign(input: { name: "x", durationMonths: 1, allowedEmails: "a@b.example" }) { campaign { id } } }',
      `mutation { updateCampaign(input: { campaignId: "${id}", name: null }) { campaign { id } } }`,
      `mutation { updateCampaign(input: { campaignId: "unknown", allowedEmails: null }) { campaign { id } } }`,
      `mutation { updateLink(input: { linkId: "${link.id}", isActive: null }) { link { id } } }`,
      `mutation { setLinkPassword(input: { linkId: "${link.id}" }) { success } }`,
      `{ campaigns(status: closed) { totalCount } }`,
    ]) {
      expect({ query, codes: await codes(query) }).toEqual({ query, codes: ['BAD_INPUT'] });
    }
    expect(
      await codes(
        'mutation { updateCampaign(input: { campaignId: "unknown" }) { campaign { id } } }',
      ),
    ).toEqual(['NOT_FOUND']);
    expect(await codes('{ links(campaignId: "unknown") { totalCount } }')).toEqual(['NOT_FOUND']);
    const partnerWithoutFeature = await partnerIn(app, { features: ['partnerSponsorship'] });
    expect(
      (
        await app.graph(
          partnerWithoutFeature.key,
          'mutation { setLinkPassword(input: { linkId: "x" }) { success } }',
        )
      ).errors,
    ).toMatchObject([{ extensions: { code: 'FEATURE_DISABLED' } }]);
  });

  it('An omitted variable leaves its field as it is, and null clears it', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign({ maxRedemptions: 5 });
    const mutation =
      'mutation ($id: ID!, $max: Int, $name: String) { updateCampaign(input: { campaignId: $id, maxRedemptions: $max, name: $name }) { campaign { maxRedemptions name } } }';
    expect(await runQuery(partner, mutation, { id, name: 'Renamed' })).toEqual({
      updateCampaign: { campaign: { maxRedemptions: 5, name: 'Renamed' } },
    });
    expect(await runQuery(partner, mutation, { id, max: null })).toEqual({
      updateCampaign: { campaign: { maxRedemptions: null, name: 'Renamed' } },
    });
  });

  it('The audit log has an entry for every change, without passwords', async () => {
    const partner = await partnerIn(app);
    const campaign = await partner.campaign();
    const link = await partner.link(campaign.id);
    await partner.sponsor('PATCH', `/campaigns/${campaign.id}`, {
      maxRedemptions: null,
      allowedEmails: ['a@b.example'],
    });
    await partner.sponsor('PATCH', `/links/${link.id}`, { isActive: false });
    await partner.sponsor('PATCH', `/links/${link.id}/password`, { password: 'open sesame' });
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: partner.id },
      orderBy: { id: 'asc' },
    });
    const changesByAction = new Map(entries.map(({ action, changes }) => [action, changes]));
    expect([...changesByAction.keys()].toSorted()).toEqual([
      'create-campaign',
      'create-link',
      'set-link-password',
      'update-campaign',
      'update-link',
    ]);
    expect(changesByAction.get('update-campaign')).toEqual({
      maxRedemptions: null,
      allowedEmails: { entries: 1 },
    });
    expect(changesByAction.get('set-link-password')).toEqual({ hasPassword: true });
  });
});

describe('after the end of a sponsorship', () => {
  it('When a sponsorship ends its assistants no longer run, and an extension enables them again at once', async () => {
    const partner = await partnerIn(app);
    const link = await partner.link((await partner.campaign({ durationMonths: 1 })).id);
    const { id, organizationId } = await partner.redeem(link);
    const requireRunning = (at: Date) =>
      requireRunningSponsorship({ organizationId }, { database: app.database, clock: () => at });
    const end = new Date('2026-06-15T10:00:00.000Z');
    await expect(requireRunning(new Date(end.getTime() - 1))).resolves.toBeUndefined();
    await expect(requireRunning(end)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('2026-06-15'),
    });
    await partner.sponsor('PATCH', `/redemptions/${id}/extend`, {
      newSponsoredUntil: new Date(end.getTime() + dayMs).toISOString(),
    });
    await expect(requireRunning(end)).resolves.toBeUndefined();
    await expect(
      requireRunningSponsorship(
        { organizationId: partner.id },
        { database: app.database, clock: () => end },
      ),
    ).resolves.toBeUndefined();
  });
});
