import { beforeEach, describe, expect, it } from 'vitest';
import { readNames } from '../../../../src/modules/audit/read-names.ts';
import { addMonths } from '../../../../src/modules/sponsorship/redemptions/add-months.ts';
import type { Database } from '../../../../src/platform/database/database.ts';
import { partnerForEachTest } from '../../../support/partner-for-each-test.ts';
import { codeOf, minutes, type Partner, reasonOf } from '../../../support/redemptions.ts';

const setting = partnerForEachTest();
let database: Database;
let partner: Partner;
beforeEach(() => {
  ({ database, partner } = setting());
});

describe('the preview of a link', () => {
  it('The preview of a link has exactly the documented fields of the offer', async () => {
    const { token } = await partner.offer({
      name: 'Summer',
      durationMonths: 6,
      includedSeats: 25,
      maxRedemptions: 3,
      allowedEmails: ['secret@people.example'],
    });
    const offer = {
      campaignName: 'Summer',
      sponsorName: 'An organization',
      durationMonths: 6,
      includedSeats: 25,
      needsPassword: false,
      hasAllowList: true,
      branding: { displayName: null, sentence: null, accentColor: null, logoHash: null },
    };
    const sponsoredUntil = addMonths(partner.dependencies.clock(), 6);
    expect(await partner.look(token)).toEqual({ ...offer, sponsoredUntil, heldUntil: null });
  });

  it.each(['', 'unknown', '0'.repeat(32), `${'0'.repeat(31)}\0`, "' or true --"])(
    'The invalid link token %j is not found',
    async (token) => {
      expect(await codeOf(partner.look(token))).toBe('NOT_FOUND');
      expect(await codeOf(partner.reserve(token))).toBe('NOT_FOUND');
      expect(await codeOf(partner.complete(token, 'none', await partner.person()))).toBe(
        'NOT_FOUND',
      );
    },
  );
});

describe('refusal reasons of the preview and the reservation', () => {
  const reasonsOf = async (token: string, userId: string | null = null) => [
    await reasonOf(partner.look(token, userId)),
    await reasonOf(partner.reserve(token, { userId })),
  ];

  it('An inactive link is refused with LINK_INACTIVE', async () => {
    const { token, linkId } = await partner.offer();
    await partner.switchOff(linkId);
    expect(await reasonsOf(token)).toEqual(['LINK_INACTIVE', 'LINK_INACTIVE']);
  });

  it('An inactive campaign is refused with CAMPAIGN_INACTIVE', async () => {
    const { token, campaignId } = await partner.offer();
    await partner.change(campaignId, { isActive: false });
    expect(await reasonsOf(token)).toEqual(['CAMPAIGN_INACTIVE', 'CAMPAIGN_INACTIVE']);
  });

  it('A campaign is refused with CAMPAIGN_EXPIRED from the moment of its end', async () => {
    const { token } = await partner.offer({
      expiresAt: new Date(partner.dependencies.clock().getTime() + minutes(10)),
    });
    partner.passTime(minutes(10) - 1);
    expect(await reasonOf(partner.look(token))).toMatchObject({ needsPassword: false });
    partner.passTime(1);
    expect(await reasonsOf(token)).toEqual(['CAMPAIGN_EXPIRED', 'CAMPAIGN_EXPIRED']);
  });

  it('A campaign whose redemptions are all reserved or completed is refused with CAMPAIGN_EXHAUSTED', async () => {
    const { token } = await partner.offer({ maxRedemptions: 1 });
    const { reservation } = await partner.reserve(token);
    expect(await reasonsOf(token)).toEqual(['CAMPAIGN_EXHAUSTED', 'CAMPAIGN_EXHAUSTED']);
    await partner.complete(token, reservation, await partner.person());
    expect(await reasonsOf(token)).toEqual(['CAMPAIGN_EXHAUSTED', 'CAMPAIGN_EXHAUSTED']);
  });

  it('An address that is not allowed is refused with EMAIL_NOT_ALLOWED, with and without an account', async () => {
    const { token } = await partner.offer({ allowedEmailDomains: ['partner.example'] });
    const userId = await partner.person();
    expect(await reasonsOf(token, userId)).toEqual(['EMAIL_NOT_ALLOWED', 'EMAIL_NOT_ALLOWED']);
    expect(await reasonOf(partner.reserve(token, { email: 'new@people.example' }))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    expect(await reasonOf(partner.reserve(token, { email: 'new@partner.example' }))).toHaveProperty(
      'reservation',
    );
    expect(await reasonOf(partner.reserve(token))).toBe('EMAIL_NOT_ALLOWED');
    const { reservation } = await partner.reserve(token, { email: 'new@partner.example' });
    expect(await reasonOf(partner.complete(token, reservation, userId))).toBe('EMAIL_NOT_ALLOWED');
  });

  it('A second redemption of a campaign is refused with ALREADY_REDEEMED at all its links', async () => {
    const { token, campaignId } = await partner.offer();
    const userId = await partner.person();
    await partner.redeem(token, userId);
    expect(await reasonsOf(token, userId)).toEqual(['ALREADY_REDEEMED', 'ALREADY_REDEEMED']);
    const another = await partner.link(campaignId);
    expect(await reasonsOf(another.token, userId)).toEqual([
      'ALREADY_REDEEMED',
      'ALREADY_REDEEMED',
    ]);
  });
});

describe('completing a redemption', () => {
  it('A redemption creates a workspace with its administrator in the default team, the seat limit and the end of the sponsorship', async () => {
    const { token } = await partner.offer({ durationMonths: 1, includedSeats: 3 });
    const userId = await partner.person();
    const { reservation } = await partner.reserve(token, { userId });
    const { organizationId, sponsoredUntil } = await partner.complete(token, reservation, userId, {
      organizationName: 'Bäckerei Öz',
    });
    const workspace = await database.prisma.organization.findUniqueOrThrow({
      where: { id: organizationId },
      include: { memberships: { include: { teamMemberships: { include: { team: true } } } } },
    });
    // One month after 31 January.
    expect(sponsoredUntil.toISOString()).toBe('2027-02-28T10:00:00.000Z');
    expect(workspace).toMatchObject({
      name: 'Bäckerei Öz',
      sponsoredUntil,
      seatLimit: 3,
      features: ['assistantFiles', 'userManagement'],
    });
    expect(workspace.slug).toMatch(/^backerei-oz/);
    expect(workspace.memberships).toMatchObject([
      { userId, role: 'ADMIN', teamMemberships: [{ team: { isDefault: true } }] },
    ]);
  });

  it('A redemption has the terms at the moment of its completion, and later changes do not affect it', async () => {
    const { token, campaignId, linkId } = await partner.offer({
      durationMonths: 6,
      includedSeats: 9,
    });
    const { reservation } = await partner.reserve(token);
    await partner.change(campaignId, { durationMonths: 2, includedSeats: 4 });
    const pricing = {
      pricingModel: 'FIXED',
      pricingAmountEur: '12.5',
      pricingUnit: 'PER_REDEMPTION',
    };
    await database.prisma.campaign.update({ where: { id: campaignId }, data: pricing });
    const userId = await partner.person();
    const { redemptionId, sponsoredUntil, organizationId } = await partner.complete(
      token,
      reservation,
      userId,
    );
    await partner.change(campaignId, { durationMonths: 1, includedSeats: 1 });
    await database.prisma.campaign.update({
      where: { id: campaignId },
      data: { pricingAmountEur: 99 },
    });
    const { pricingAmountEur, billingAmount, ...stored } =
      await database.prisma.redemption.findUniqueOrThrow({ where: { id: redemptionId } });
    expect([pricingAmountEur?.toNumber(), billingAmount?.toNumber()]).toEqual([12.5, 12.5]);
    expect(stored).toMatchObject({
      ...{
        campaignId,
        linkId,
        userId,
        sponsoredOrganizationId: organizationId,
        sponsoredUntil,
        redeemedAt: partner.dependencies.clock(),
      },
      ...{
        durationMonths: 2,
        includedSeats: 4,
        pricingModel: 'FIXED',
        pricingUnit: 'PER_REDEMPTION',
        billingStatus: 'UNBILLED',
        billedAt: null,
      },
    });
  });

  it('A redemption is recorded in the partner’s audit log', async () => {
    const { token } = await partner.offer();
    const userId = await partner.person();
    const { redemptionId } = await partner.redeem(token, userId);
    expect(
      await database.prisma.auditEntry.findMany({ where: { targetId: redemptionId } }),
    ).toMatchObject([
      {
        organizationId: partner.organizationId,
        action: 'complete-redemption',
        actorKind: 'SESSION',
        actorUserId: userId,
        network: null,
        device: null,
      },
    ]);
    const { email } = await database.prisma.user.findUniqueOrThrow({ where: { id: userId } });
    const { organizationId } = partner;
    expect(await readNames({ organizationId, ids: [userId] }, { database })).toEqual([email]);
    const other = await partner.person();
    expect(await readNames({ organizationId, ids: [other] }, { database })).toEqual([null]);
  });

  it('A repeated redemption with the same reservation has the same result; with another one it is refused with ALREADY_REDEEMED and releases that one', async () => {
    const { token, campaignId } = await partner.offer();
    const userId = await partner.person();
    const [first, second] = [await partner.reserve(token), await partner.reserve(token)];
    const completed = await partner.complete(token, first.reservation, userId);
    expect(await partner.complete(token, first.reservation, userId)).toEqual(completed);
    expect(await reasonOf(partner.complete(token, second.reservation, userId))).toBe(
      'ALREADY_REDEEMED',
    );
    expect(await partner.counters(campaignId)).toEqual({
      completed: 1,
      reserved: 0,
      live: 0,
      redemptions: 1,
      workspaces: 1,
    });
  });

  it('A person can redeem one workspace for each campaign', async () => {
    const userId = await partner.person();
    const [first, second] = [await partner.offer(), await partner.offer()];
    expect((await partner.redeem(first.token, userId)).organizationId).not.toBe(
      (await partner.redeem(second.token, userId)).organizationId,
    );
  });

  it('A refused redemption creates nothing', async () => {
    const { token, campaignId } = await partner.offer({ allowedEmails: ['somebody@else.example'] });
    const { reservation } = await partner.reserve(token, { email: 'somebody@else.example' });
    const before = await database.prisma.organization.count();
    expect(await reasonOf(partner.complete(token, reservation, await partner.person()))).toBe(
      'EMAIL_NOT_ALLOWED',
    );
    expect(await database.prisma.organization.count()).toBe(before);
    expect(await partner.counters(campaignId)).toMatchObject({
      completed: 0,
      reserved: 1,
      live: 1,
    });
  });

  it('A redemption for an unknown user answers NOT_FOUND', async () => {
    const { token } = await partner.offer();
    const { reservation } = await partner.reserve(token);
    expect(await codeOf(partner.complete(token, reservation, 'nobody'))).toBe('NOT_FOUND');
  });
});

describe('calendar months', () => {
  it.each([
    ['2027-01-31T10:00:00.000Z', 1, '2027-02-28T10:00:00.000Z'],
    ['2028-01-31T23:59:59.999Z', 1, '2028-02-29T23:59:59.999Z'],
    ['2027-08-31T00:00:00.000Z', 6, '2028-02-29T00:00:00.000Z'],
    ['2027-10-31T12:00:00.000Z', 4, '2028-02-29T12:00:00.000Z'],
    ['2027-03-28T01:30:00.000Z', 3, '2027-06-28T01:30:00.000Z'],
    ['2027-12-30T00:00:00.000Z', 2, '2028-02-29T00:00:00.000Z'],
  ])('%s plus %d months is %s', (from, months, until) => {
    expect(addMonths(new Date(from), months).toISOString()).toBe(until);
  });
});
