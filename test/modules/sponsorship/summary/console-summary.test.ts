import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../support/app.ts';
import { partnerIn } from '../../../support/partner.ts';

let app: TestApp;
const now = new Date('2026-05-15T10:00:00.000Z');
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { clock: () => now });
});
afterAll(async () => {
  await app.close();
});

const summaryQuery = /* GraphQL */ `
  {
    sponsorshipSummary {
      billing { billingStatus redemptions amountEur }
      campaigns { total live exhausted ended switchedOff }
      sponsorships { running endingWithin30Days endingWithin60Days endingWithin90Days }
      seats { sponsorships given used }
    }
    campaigns(pageSize: 10, orderBy: { field: NAME, direction: ASC }) { nodes { name billing { billingStatus redemptions amountEur } } }
  }`;

const clockAt = (time: string) => () => new Date(time);
const zeros = { redemptions: 0, amountEur: 0 };
const byStatus = (amounts: Record<string, object>) =>
  ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'].map((billingStatus) => ({
    billingStatus,
    ...zeros,
    ...amounts[billingStatus],
  }));

async function partnerWithCampaigns() {
  const partner = await partnerIn(app);
  const [first, second] = [
    await partner.campaign({ name: 'A', durationMonths: 1, includedSeats: 5 }),
    await partner.campaign({ name: 'B', maxRedemptions: 3 }),
  ];
  await partner.price(first.id, 10);
  const [link, otherLink] = [await partner.link(first.id), await partner.link(second.id)];
  const billed = await partner.redeem(link, { at: clockAt('2026-05-01T00:00:00.000Z') });
  await partner.sponsor('PATCH', `/redemptions/${billed.id}/billing`, {
    billingStatus: 'BILLED',
    billingAmount: 12.5,
  });
  await partner.redeem(link, { at: clockAt('2026-05-10T00:00:00.000Z') });
  // This sponsorship ended on 1 May.
  await partner.redeem(link, { at: clockAt('2026-04-01T00:00:00.000Z') });
  for (const at of [
    '2026-04-01T00:00:00.000Z',
    '2026-04-16T00:00:00.000Z',
    '2026-05-15T09:00:00.000Z',
  ])
    await partner.redeem(otherLink, { at: clockAt(at) });
  await partner.campaign({ name: 'Over', expiresAt: '2026-05-15T10:00:00.000Z' });
  const inactiveCampaign = await partner.campaign({
    name: 'Switched off',
    expiresAt: '2026-05-01T00:00:00.000Z',
  });
  await partner.sponsor('PATCH', `/campaigns/${inactiveCampaign.id}`, { isActive: false });
  return partner;
}

describe('the summary of a partner’s sponsorships', () => {
  it('The summary has amounts by billing status, campaigns by state, sponsorships that end soon, and the seats of running sponsorships', async () => {
    const partner = await partnerWithCampaigns();
    const { data, errors } = await app.graph(partner.key, summaryQuery);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      sponsorshipSummary: {
        billing: byStatus({
          BILLED: { redemptions: 1, amountEur: 12.5 },
          UNBILLED: { redemptions: 5, amountEur: 20 },
        }),
        campaigns: { total: 4, live: 1, exhausted: 1, ended: 1, switchedOff: 1 },
        // The sponsorships of A end on 1 and 10 June, those of B on 1 July, 16 July and 15 August.
        // The 30 days end on 14 June, the 60 days on 14 July, the 90 days on 13 August.
        sponsorships: {
          running: 5,
          endingWithin30Days: 2,
          endingWithin60Days: 3,
          endingWithin90Days: 4,
        },
        seats: { sponsorships: 5, given: 10, used: 5 },
      },
      campaigns: {
        nodes: [
          {
            name: 'A',
            billing: byStatus({
              BILLED: { redemptions: 1, amountEur: 12.5 },
              UNBILLED: { redemptions: 2, amountEur: 20 },
            }),
          },
          { name: 'B', billing: byStatus({ UNBILLED: { redemptions: 3, amountEur: 0 } }) },
          { name: 'Over', billing: byStatus({}) },
          { name: 'Switched off', billing: byStatus({}) },
        ],
      },
    });
  });

  it('Sponsorships that end soon are counted to the millisecond, also after changes of their end', async () => {
    const partner = await partnerIn(app);
    const link = await partner.link((await partner.campaign({ includedSeats: 2 })).id);
    const dayMs = 86_400_000;
    const midnight = Date.parse('2026-05-16T00:00:00.000Z');
    const ends = [now.getTime(), midnight]
      .flatMap((start) => [0, 30, 60, 90].map((days) => start + days * dayMs))
      .flatMap((instant) => [instant - 1, instant, instant + 1]);
    const endOf = new Map<string, number>();
    for (const end of ends) {
      const { id } = await partner.redeem(link, { at: clockAt('2026-05-01T00:00:00.000Z') });
      endOf.set(id, end);
      await app.database.prisma.redemption.update({
        where: { id },
        data: { sponsoredUntil: new Date(end) },
      });
    }
    const query = /* GraphQL */ `
      query ($days: Int!) {
        sponsorshipSummary {
          sponsorships { running endingWithin30Days endingWithin60Days endingWithin90Days }
          seats { sponsorships given }
        }
        expiringRedemptions(days: $days, pageSize: 50) { totalCount nodes { id } }
      }`;
    const expectExact = async () => {
      const running = [...endOf].filter(([, end]) => end > now.getTime());
      const within = (days: number) =>
        running.filter(([, end]) => end <= now.getTime() + days * dayMs);
      for (const days of [1, 30, 60]) {
        const { data } = await app.graph(partner.key, query, { days });
        expect(data).toEqual({
          sponsorshipSummary: {
            sponsorships: {
              running: running.length,
              endingWithin30Days: within(30).length,
              endingWithin60Days: within(60).length,
              endingWithin90Days: within(90).length,
            },
            seats: { sponsorships: running.length, given: 2 * running.length },
          },
          expiringRedemptions: {
            totalCount: within(days).length,
            nodes: expect.toSatisfy((nodes: unknown[]) => nodes.length === within(days).length),
          },
        });
      }
    };
    await expectExact();
    const [first, second, third] = [...endOf.keys()];
    for (const [id, end] of [
      [first, midnight + 30 * dayMs],
      [second, now.getTime() - dayMs],
    ] as const) {
      if (id === undefined) throw new Error('There are no redemptions');
      endOf.set(id, end);
      await app.database.prisma.redemption.update({
        where: { id },
        data: { sponsoredUntil: new Date(end) },
      });
    }
    await app.database.prisma.redemption.delete({ where: { id: third ?? '' } });
    endOf.delete(third ?? '');
    await expectExact();
  });

  it('A campaign whose last redemption is reserved counts as exhausted, and as live again when the reservation expires', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign({ maxRedemptions: 1 });
    const link = await partner.link(id);
    const insertReservation = (until: Date, key: string) => app.database.prisma.$executeRaw`
      insert into reservations (id, campaign_id, organization_id, link_id, created_at, expires_at)
      values (${key}, ${id}, ${partner.id}, ${link.id}, ${new Date(until.getTime() - 1_800_000)}, ${until})`;
    await app.database.prisma.campaign.update({ where: { id }, data: { reservedRedemptions: 1 } });
    const counts = async () =>
      Object((await app.graph(partner.key, summaryQuery)).data?.['sponsorshipSummary']).campaigns;
    await insertReservation(now, 'expired');
    expect(await counts()).toMatchObject({ live: 1, exhausted: 0 });
    await insertReservation(new Date(now.getTime() + 1), 'live');
    expect(await counts()).toMatchObject({ live: 0, exhausted: 1 });
  });

  it('The summary is all zeros for a new partner, and is refused without the feature', async () => {
    const partner = await partnerIn(app);
    const { data } = await app.graph(partner.key, summaryQuery);
    expect(data).toMatchObject({
      sponsorshipSummary: {
        billing: byStatus({}),
        campaigns: { total: 0 },
        sponsorships: { running: 0 },
        seats: { sponsorships: 0, given: 0, used: 0 },
      },
    });
    const partnerWithoutFeature = await partnerIn(app, { features: [] });
    // Each of the two fields fails alone.
    expect((await app.graph(partnerWithoutFeature.key, summaryQuery)).errors).toMatchObject([
      { path: ['sponsorshipSummary'], extensions: { code: 'FEATURE_DISABLED' } },
      { path: ['campaigns'], extensions: { code: 'FEATURE_DISABLED' } },
    ]);
  });
});
