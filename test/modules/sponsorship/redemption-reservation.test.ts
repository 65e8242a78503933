import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findWrongCounters } from '../../../src/modules/sponsorship/find-wrong-counters.ts';
import { testDatabase } from '../../support/database.ts';
import { codeOf, minutes, type Partner, partnerOn, reasonOf } from '../../support/redemptions.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let partner: Partner;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  partner = await partnerOn(database);
});
afterAll(async () => {
  expect(await findWrongCounters({ database })).toEqual([]);
  await database.close();
});

describe('a reservation', () => {
  it('holds its place for 30 minutes and not a millisecond longer', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const { expiresAt } = await partner.reserve(token);
    expect(expiresAt.getTime() - partner.parts.clock().getTime()).toBe(minutes(30));
    partner.passTime(minutes(30) - 1);
    expect(await reasonOf(partner.reserve(token))).toBe('CAMPAIGN_EXHAUSTED');
    partner.passTime(1);
    expect(await reasonOf(partner.reserve(token))).toHaveProperty('reservation');
    expect(await partner.standing(campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('that is given back frees its place at once, however often it is given back', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 2 });
    const { reservation } = await partner.reserve(token);
    await partner.reserve(token);
    for (let times = 0; times < 3; times += 1) await partner.release(reservation);
    expect(await partner.standing(campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('takes the place of the one from before, even where there is no other', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const { reservation } = await partner.reserve(token);
    const again = await partner.reserve(token, { reservation });
    expect(await partner.standing(campaignId)).toMatchObject({ reserved: 1, live: 1 });
    expect(await partner.complete(token, again.reservation, await partner.person())).toHaveProperty(
      'organizationId',
    );
  });

  it('takes the place of the one from before at another link of the campaign, although the cap was lowered meanwhile', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 2 });
    const other = await partner.link(campaignId);
    const { reservation } = await partner.reserve(token);
    await partner.reserve(token);
    await partner.change(campaignId, { maxRedemptions: 1 });
    expect(await reasonOf(partner.reserve(other.token))).toBe('CAMPAIGN_EXHAUSTED');
    expect(await reasonOf(partner.reserve(other.token, { reservation }))).toHaveProperty(
      'reservation',
    );
    expect(await partner.standing(campaignId)).toMatchObject({ reserved: 2, live: 2 });
  });

  it('is known to the database only by its hash', async () => {
    const { token } = await partner.offer();
    const { reservation } = await partner.reserve(token);
    expect(reservation).toMatch(/^[\w-]{43}$/);
    expect(await database.prisma.reservation.count({ where: { id: reservation } })).toBe(0);
  });

  it('holds although the campaign and the link are switched off, the campaign ends and its cap is lowered meanwhile', async () => {
    const { token, campaignId, linkId } = await partner.offer({ maxRedemptions: 5 });
    await partner.redeem(token, await partner.person());
    const { reservation } = await partner.reserve(token);
    await partner.change(campaignId, {
      isActive: false,
      maxRedemptions: 1,
      expiresAt: partner.parts.clock(),
    });
    await partner.switchOff(linkId);
    expect(await partner.complete(token, reservation, await partner.person())).toHaveProperty(
      'organizationId',
    );
    expect(await partner.standing(campaignId)).toMatchObject({ completed: 2, reserved: 0 });
  });

  it('lets its holder see the offer and keep the place, though no longer, when everything is closed meanwhile', async () => {
    const { token, campaignId, linkId } = await partner.offer({ maxRedemptions: 1 });
    const { reservation, expiresAt } = await partner.reserve(token);
    expect(await partner.look(token, null, null, reservation)).toMatchObject({
      heldUntil: expiresAt.toISOString(),
    });
    expect(await reasonOf(partner.look(token))).toBe('CAMPAIGN_EXHAUSTED');
    await partner.change(campaignId, { isActive: false, expiresAt: partner.parts.clock() });
    await partner.switchOff(linkId);
    partner.passTime(minutes(10));
    expect(await partner.reserve(token, { reservation })).toEqual({
      reservation,
      expiresAt,
      isRenewed: true,
    });
    partner.passTime(minutes(20));
    expect(await reasonOf(partner.reserve(token, { reservation }))).toBe('LINK_INACTIVE');
    expect(await reasonOf(partner.look(token, null, null, reservation))).toBe('LINK_INACTIVE');
  });

  it('opens no other link, and is not renewed for somebody whom the offer does not admit', async () => {
    const { token, campaignId, linkId } = await partner.offer();
    const other = await partner.link(campaignId);
    const { reservation } = await partner.reserve(token);
    await partner.change(campaignId, { allowedEmailDomains: ['partner.example'] });
    expect(await reasonOf(partner.reserve(token, { reservation, email: 'eve@else.example' }))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    expect(await reasonOf(partner.look(token, await partner.person(), null, reservation))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    await partner.switchOff(other.id);
    expect(await reasonOf(partner.look(other.token, null, null, reservation))).toBe(
      'LINK_INACTIVE',
    );
    await partner.switchOff(linkId);
    expect(await partner.look(token, null, null, reservation)).toMatchObject({
      heldUntil: expect.any(String),
    });
  });

  it('is not made at a campaign with an allow-list before an allowed address is known', async () => {
    const { token, campaignId } = await partner.offer({ allowedEmailDomains: ['partner.example'] });
    expect(await reasonOf(partner.reserve(token))).toBe('EMAIL_NOT_ALLOWED');
    expect(await reasonOf(partner.reserve(token, { email: 'eve@else.example' }))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    expect(await partner.standing(campaignId)).toMatchObject({ reserved: 0, live: 0 });
    expect(await reasonOf(partner.reserve(token, { email: 'ada@partner.example' }))).toHaveProperty(
      'reservation',
    );
  });

  it('can be renewed until two hours after it began, and not beyond', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const start = partner.parts.clock().getTime();
    let { reservation, expiresAt } = await partner.reserve(token);
    for (let times = 0; times < 5; times += 1) {
      partner.passTime(minutes(20));
      ({ reservation, expiresAt } = await partner.reserve(token, { reservation }));
    }
    expect(expiresAt.getTime() - start).toBe(minutes(120));
    partner.passTime(minutes(20) - 1);
    expect(await partner.reserve(token, { reservation })).toMatchObject({
      isRenewed: true,
      expiresAt,
    });
    expect(await reasonOf(partner.reserve(token))).toBe('CAMPAIGN_EXHAUSTED');
    partner.passTime(1);
    expect(await partner.standing(campaignId)).toMatchObject({ live: 0 });
    expect(await reasonOf(partner.reserve(token))).toMatchObject({ isRenewed: false });
  });

  it('that has lapsed counts where its place is still free, whether or not it was swept away', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 2 });
    const reserved = [await partner.reserve(token), await partner.reserve(token)];
    partner.passTime(minutes(31));
    for (const { reservation } of reserved)
      await partner.complete(token, reservation, await partner.person());
    expect(await partner.standing(campaignId)).toEqual({
      completed: 2,
      reserved: 0,
      live: 0,
      redemptions: 2,
      workspaces: 2,
    });
  });

  it('that has lapsed is refused where its place has gone to another', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const { reservation } = await partner.reserve(token);
    partner.passTime(minutes(30));
    await partner.reserve(token);
    expect(await reasonOf(partner.complete(token, reservation, await partner.person()))).toBe(
      'CAMPAIGN_EXHAUSTED',
    );
    expect(await partner.standing(campaignId)).toMatchObject({
      completed: 0,
      reserved: 1,
      live: 1,
      workspaces: 0,
    });
  });

  it.each([
    ['CAMPAIGN_INACTIVE', (campaignId: string) => partner.change(campaignId, { isActive: false })],
    [
      'CAMPAIGN_EXPIRED',
      (campaignId: string) => partner.change(campaignId, { expiresAt: partner.parts.clock() }),
    ],
    ['LINK_INACTIVE', (_: string, linkId: string) => partner.switchOff(linkId)],
  ])('that has lapsed is refused with %s where a new one would be', async (reason, close) => {
    const { token, campaignId, linkId } = await partner.offer();
    const { reservation } = await partner.reserve(token);
    partner.passTime(minutes(30));
    await close(campaignId, linkId);
    expect(await reasonOf(partner.complete(token, reservation, await partner.person()))).toBe(
      reason,
    );
  });

  it('of one campaign frees no place in another', async () => {
    const [one, other] = [
      await partner.offer({ maxRedemptions: 1 }),
      await partner.offer({ maxRedemptions: 1 }),
    ];
    const { reservation } = await partner.reserve(one.token);
    await partner.reserve(other.token);
    expect(await reasonOf(partner.complete(other.token, reservation, await partner.person()))).toBe(
      'CAMPAIGN_EXHAUSTED',
    );
    expect(await partner.standing(one.campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('that was used is no use to another person, nor in another campaign', async () => {
    const [one, other] = [await partner.offer(), await partner.offer()];
    const { reservation } = await partner.reserve(one.token);
    const userId = await partner.person();
    await partner.complete(one.token, reservation, userId);
    expect(await codeOf(partner.complete(one.token, reservation, await partner.person()))).toBe(
      'NOT_FOUND',
    );
    expect(await codeOf(partner.complete(other.token, reservation, userId))).toBe('NOT_FOUND');
  });
});
