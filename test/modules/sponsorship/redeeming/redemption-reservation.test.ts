import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/platform/database/database.ts';
import { partnerForEachTest } from '../../../support/partner-for-each-test.ts';
import { codeOf, minutes, type Partner, reasonOf } from '../../../support/redemptions.ts';

const setting = partnerForEachTest();
let database: Database;
let partner: Partner;
beforeEach(() => {
  ({ database, partner } = setting());
});

describe('a reservation', () => {
  it('A reservation lasts 30 minutes and not a millisecond longer', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const { expiresAt } = await partner.reserve(token);
    expect(expiresAt.getTime() - partner.dependencies.clock().getTime()).toBe(minutes(30));
    partner.passTime(minutes(30) - 1);
    expect(await reasonOf(partner.reserve(token))).toBe('CAMPAIGN_EXHAUSTED');
    partner.passTime(1);
    expect(await reasonOf(partner.reserve(token))).toHaveProperty('reservation');
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('Releasing a reservation frees its capacity at once, and releasing it again changes nothing', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 2 });
    const { reservation } = await partner.reserve(token);
    await partner.reserve(token);
    for (let times = 0; times < 3; times += 1) await partner.release(reservation);
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('A new reservation replaces the person’s current one, even if the campaign is full', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const { reservation } = await partner.reserve(token);
    const replacement = await partner.reserve(token, { reservation });
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: 1, live: 1 });
    expect(
      await partner.complete(token, replacement.reservation, await partner.person()),
    ).toHaveProperty('organizationId');
  });

  it('A new reservation replaces the one at another link of the campaign, even if the limit was lowered in the meantime', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 2 });
    const second = await partner.link(campaignId);
    const { reservation } = await partner.reserve(token);
    await partner.reserve(token);
    await partner.change(campaignId, { maxRedemptions: 1 });
    expect(await reasonOf(partner.reserve(second.token))).toBe('CAMPAIGN_EXHAUSTED');
    expect(await reasonOf(partner.reserve(second.token, { reservation }))).toHaveProperty(
      'reservation',
    );
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: 2, live: 2 });
  });

  it('A person who reserves in two browsers has one reservation, which either can complete', async () => {
    for (const completedWith of ['first', 'second'] as const) {
      const { campaignId, token } = await partner.offer({ maxRedemptions: 2 });
      const userId = await partner.person();
      const first = await partner.reserve(token, { userId });
      const second = await partner.reserve(token, { userId });
      expect(second.isRenewed).toBe(true);
      expect(await partner.counters(campaignId)).toMatchObject({ reserved: 1, live: 1 });
      // The campaign is full, but not for the person who has a place.
      await partner.change(campaignId, { maxRedemptions: 1 });
      const { reservation } = { first, second }[completedWith];
      expect(await partner.look(token, userId)).toMatchObject({ heldUntil: expect.any(String) });
      expect(await reasonOf(partner.complete(token, reservation, userId))).toMatchObject({
        redemptionId: expect.any(String),
      });
      expect(await partner.counters(campaignId)).toMatchObject({ reserved: 0, live: 0 });
    }
  });

  it('A person who reserved before they signed in keeps that reservation, and has no second one', async () => {
    const { campaignId, token } = await partner.offer({ maxRedemptions: 2 });
    const userId = await partner.person();
    await partner.reserve(token, { userId });
    const { reservation } = await partner.reserve(token);
    expect(await partner.counters(campaignId)).toMatchObject({ live: 2 });
    await partner.reserve(token, { userId, reservation });
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('The reservation of a person whose account is deleted stays until it expires', async () => {
    const { campaignId, token } = await partner.offer();
    const userId = await partner.person();
    await partner.reserve(token, { userId });
    await database.prisma.user.delete({ where: { id: userId } });
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('The database stores only the hash of a reservation', async () => {
    const { token } = await partner.offer();
    const { reservation } = await partner.reserve(token);
    expect(reservation).toMatch(/^[\w-]{43}$/);
    expect(await database.prisma.reservation.count({ where: { id: reservation } })).toBe(0);
  });

  it('A reservation can be completed even if the campaign and the link were switched off, the campaign has ended and its limit was lowered', async () => {
    const { token, campaignId, linkId } = await partner.offer({ maxRedemptions: 5 });
    await partner.redeem(token, await partner.person());
    const { reservation } = await partner.reserve(token);
    await partner.change(campaignId, {
      isActive: false,
      maxRedemptions: 1,
      expiresAt: partner.dependencies.clock(),
    });
    await partner.switchOff(linkId);
    expect(await partner.complete(token, reservation, await partner.person())).toHaveProperty(
      'organizationId',
    );
    expect(await partner.counters(campaignId)).toMatchObject({ completed: 2, reserved: 0 });
  });

  it('After a campaign was closed, a person with a reservation still sees the offer and keeps the reservation, but cannot extend it', async () => {
    const { token, campaignId, linkId } = await partner.offer({ maxRedemptions: 1 });
    const { reservation, expiresAt } = await partner.reserve(token);
    expect(await partner.look(token, null, null, reservation)).toMatchObject({
      heldUntil: expiresAt.toISOString(),
    });
    expect(await reasonOf(partner.look(token))).toBe('CAMPAIGN_EXHAUSTED');
    await partner.change(campaignId, { isActive: false, expiresAt: partner.dependencies.clock() });
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

  it('A reservation is not valid at another link, and is not renewed for an address that is not allowed', async () => {
    const { token, campaignId, linkId } = await partner.offer();
    const second = await partner.link(campaignId);
    const { reservation } = await partner.reserve(token);
    await partner.change(campaignId, { allowedEmailDomains: ['partner.example'] });
    expect(await reasonOf(partner.reserve(token, { reservation, email: 'eve@else.example' }))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    expect(await reasonOf(partner.look(token, await partner.person(), null, reservation))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    await partner.switchOff(second.id);
    expect(await reasonOf(partner.look(second.token, null, null, reservation))).toBe(
      'LINK_INACTIVE',
    );
    await partner.switchOff(linkId);
    expect(await partner.look(token, null, null, reservation)).toMatchObject({
      heldUntil: expect.any(String),
    });
  });

  it('A campaign with an allow-list requires an allowed address for a reservation', async () => {
    const { token, campaignId } = await partner.offer({ allowedEmailDomains: ['partner.example'] });
    expect(await reasonOf(partner.reserve(token))).toBe('EMAIL_NOT_ALLOWED');
    expect(await reasonOf(partner.reserve(token, { email: 'eve@else.example' }))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: 0, live: 0 });
    expect(await reasonOf(partner.reserve(token, { email: 'ada@partner.example' }))).toHaveProperty(
      'reservation',
    );
  });

  it('A reservation can be renewed until two hours after its start, and not longer', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const start = partner.dependencies.clock().getTime();
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
    expect(await partner.counters(campaignId)).toMatchObject({ live: 0 });
    expect(await reasonOf(partner.reserve(token))).toMatchObject({ isRenewed: false });
  });

  it('An expired reservation can be completed while capacity is free, whether or not its row was deleted', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 2 });
    const reserved = [await partner.reserve(token), await partner.reserve(token)];
    partner.passTime(minutes(31));
    for (const { reservation } of reserved)
      await partner.complete(token, reservation, await partner.person());
    expect(await partner.counters(campaignId)).toEqual({
      completed: 2,
      reserved: 0,
      live: 0,
      redemptions: 2,
      workspaces: 2,
    });
  });

  it('An expired reservation is refused if another person has taken the capacity', async () => {
    const { token, campaignId } = await partner.offer({ maxRedemptions: 1 });
    const { reservation } = await partner.reserve(token);
    partner.passTime(minutes(30));
    await partner.reserve(token);
    expect(await reasonOf(partner.complete(token, reservation, await partner.person()))).toBe(
      'CAMPAIGN_EXHAUSTED',
    );
    expect(await partner.counters(campaignId)).toMatchObject({
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
      (campaignId: string) =>
        partner.change(campaignId, { expiresAt: partner.dependencies.clock() }),
    ],
    ['LINK_INACTIVE', (_: string, linkId: string) => partner.switchOff(linkId)],
  ])('An expired reservation is refused with %s, as a new one would be', async (reason, close) => {
    const { token, campaignId, linkId } = await partner.offer();
    const { reservation } = await partner.reserve(token);
    partner.passTime(minutes(30));
    await close(campaignId, linkId);
    expect(await reasonOf(partner.complete(token, reservation, await partner.person()))).toBe(
      reason,
    );
  });

  it('A reservation of one campaign gives no capacity in another', async () => {
    const [first, second] = [
      await partner.offer({ maxRedemptions: 1 }),
      await partner.offer({ maxRedemptions: 1 }),
    ];
    const { reservation } = await partner.reserve(first.token);
    await partner.reserve(second.token);
    expect(
      await reasonOf(partner.complete(second.token, reservation, await partner.person())),
    ).toBe('CAMPAIGN_EXHAUSTED');
    expect(await partner.counters(first.campaignId)).toMatchObject({ reserved: 1, live: 1 });
  });

  it('A used reservation is refused for another person and in another campaign', async () => {
    const [first, second] = [await partner.offer(), await partner.offer()];
    const { reservation } = await partner.reserve(first.token);
    const userId = await partner.person();
    await partner.complete(first.token, reservation, userId);
    expect(await codeOf(partner.complete(first.token, reservation, await partner.person()))).toBe(
      'NOT_FOUND',
    );
    expect(await codeOf(partner.complete(second.token, reservation, userId))).toBe('NOT_FOUND');
  });
});
