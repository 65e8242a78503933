import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../src/modules/accounts/create-account.ts';
import { addMonths } from '../../../src/modules/sponsorship/add-months.ts';
import { updateLink } from '../../../src/modules/sponsorship/update-link.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { partnerIn, type TestPartner } from '../../support/partner.ts';
import { minutes } from '../../support/redemptions.ts';
import { atLink, visitorOf } from '../../support/visitor.ts';

const linkPassword = 'open sesame';
let app: TestApp;
let partner: TestPartner;
let now = Date.now();
let people = 0;
const clock = () => new Date(now);

beforeAll(async () => {
  app = await testApp({}, { clock });
  partner = await partnerIn(app);
});
afterAll(() => app.close());

/** A campaign with a link, as its partner makes them. */
async function offer(campaign: Record<string, unknown> = {}, link: Record<string, unknown> = {}) {
  const { id: campaignId } = await partner.campaign({
    name: 'Summer',
    durationMonths: 6,
    includedSeats: 25,
    ...campaign,
  });
  const { id: linkId, token } = await partner.link(campaignId, link);
  return { campaignId, linkId, token: String(token) };
}

const change = (campaignId: string, body: unknown) =>
  partner.sponsor('PATCH', `/campaigns/${campaignId}`, body);
const switchOff = (linkId: string) => {
  const actor = {
    organizationId: partner.id,
    kind: 'SYSTEM' as const,
    keyId: null,
    userId: null,
    requestId: null,
  };
  return updateLink({ linkId, isActive: false }, { ...app.contextParts, actor });
};
/** How many places of a campaign are used and held. */
async function places(campaignId: string) {
  const { completedRedemptions: used, reservedRedemptions: held } =
    await app.database.prisma.campaign.findUniqueOrThrow({ where: { id: campaignId } });
  return { used, held };
}

async function person(email?: string) {
  people += 1;
  const account = {
    email: email ?? `person${people}@people.example`,
    firstName: 'Pia',
    lastName: 'Person',
    passwordHash: 'none',
    at: clock(),
  };
  return inTransaction(app.database, (tx) => createAccount(account, tx));
}

async function signedIn(email?: string) {
  const visitor = visitorOf(app);
  const { id } = await person(email);
  await visitor.signIn(id);
  return Object.assign(visitor, { userId: id });
}

describe('a sponsored link', () => {
  it('Everyone can see the offer of a sponsored link: sponsor, duration, seats and end', async () => {
    const { token } = await offer();
    expect(await atLink(visitorOf(app), token).look()).toEqual({
      campaignName: 'Summer',
      sponsorName: partner.slug,
      durationMonths: 6,
      includedSeats: 25,
      sponsoredUntil: addMonths(clock(), 6).toISOString(),
      needsPassword: false,
      hasAllowList: false,
      heldUntil: null,
    });
  });

  it('A visitor enters the password, reserves, signs in and redeems a workspace', async () => {
    const { token, campaignId } = await offer({}, { password: linkPassword });
    const visitor = visitorOf(app);
    const link = atLink(visitor, token);
    expect(await link.look()).toMatchObject({ needsPassword: true });
    expect(await link.reserve()).toBe('PASSWORD_REQUIRED');
    expect(await link.open('Open sesame')).toBe('PASSWORD_WRONG');
    expect(await link.open(linkPassword)).toMatchObject({ needsPassword: false, heldUntil: null });
    const heldUntil = new Date(now + minutes(30)).toISOString();
    expect(await link.reserve('pia@people.example')).toMatchObject({ heldUntil });
    expect(await link.look()).toMatchObject({ heldUntil, needsPassword: false });

    await visitor.signIn((await person()).id);
    expect(await link.workspace()).toBeNull();
    const made = {
      sponsorName: partner.slug,
      campaignName: 'Summer',
      durationMonths: 6,
      includedSeats: 25,
      sponsoredUntil: addMonths(clock(), 6).toISOString(),
      organization: { id: expect.any(String), name: 'Bäckerei Öz', memberCount: 1 },
    };
    expect(await link.redeem('Bäckerei Öz')).toEqual(made);
    expect(await places(campaignId)).toEqual({ used: 1, held: 0 });
    expect([...visitor.jar.keys()].filter((name) => /grant|place/.test(name))).toEqual([]);
    expect(await link.look()).toBe('ALREADY_REDEEMED');
    expect(await link.workspace()).toEqual(made);
  });

  it('A browser has one reservation, even with repeated requests', async () => {
    const { token, campaignId } = await offer({ maxRedemptions: 1 });
    const link = atLink(visitorOf(app), token);
    for (let times = 0; times < 3; times += 1)
      expect(await link.reserve()).toHaveProperty('heldUntil');
    expect(await places(campaignId)).toEqual({ used: 0, held: 1 });
    // Its own place makes the offer full for others only.
    expect(await link.look()).toHaveProperty('heldUntil');
    expect(await atLink(visitorOf(app), token).look()).toBe('CAMPAIGN_EXHAUSTED');
    expect(await atLink(visitorOf(app), token).reserve()).toBe('CAMPAIGN_EXHAUSTED');
    now += minutes(20);
    expect(await link.reserve()).toMatchObject({
      heldUntil: new Date(now + minutes(30)).toISOString(),
    });
  });

  it('A released reservation is free for other visitors, and a second release returns false', async () => {
    const { token } = await offer({ maxRedemptions: 1 });
    const link = atLink(visitorOf(app), token);
    await link.reserve();
    expect([await link.release(), await link.release()]).toEqual([true, false]);
    expect(await atLink(visitorOf(app), token).reserve()).toHaveProperty('heldUntil');
  });

  it('Repeated redemptions create one workspace, and a redemption works without a reservation', async () => {
    const { token, campaignId } = await offer();
    const visitor = await signedIn();
    const link = atLink(visitor, token);
    await link.reserve();
    const before = new Map(visitor.jar);
    const first = await link.redeem();
    // The answer was lost: the browser asks again with what it had.
    for (const [name, kept] of before) visitor.jar.set(name, kept);
    expect(await link.redeem('Another name')).toEqual(first);
    expect(await link.redeem()).toBe('ALREADY_REDEEMED');
    expect(await places(campaignId)).toEqual({ used: 1, held: 0 });
    expect(await atLink(await signedIn(), token).redeem()).toHaveProperty(
      'organization.name',
      'Workspace',
    );
  });

  it('Only the person who redeemed can see the workspace, and only while they are a member', async () => {
    const { token } = await offer();
    const visitor = await signedIn();
    const link = atLink(visitor, token);
    await link.redeem();
    expect(await atLink(await signedIn(), token).workspace()).toBeNull();
    expect(await link.workspace()).toHaveProperty('organization');
    await app.database.prisma.membership.deleteMany({ where: { userId: visitor.userId } });
    expect(await link.workspace()).toBeNull();
  });
});

describe('refused visitors', () => {
  const closings: [string, (made: Awaited<ReturnType<typeof offer>>) => Promise<unknown>][] = [
    ['LINK_INACTIVE', ({ linkId }) => switchOff(linkId)],
    ['CAMPAIGN_INACTIVE', ({ campaignId }) => change(campaignId, { isActive: false })],
    [
      'CAMPAIGN_EXPIRED',
      ({ campaignId }) => change(campaignId, { expiresAt: clock().toISOString() }),
    ],
  ];
  it.each(closings)(
    'A closed offer is refused with %s by every field, but not for a visitor with a reservation',
    async (reason, close) => {
      const made = await offer();
      const holder = await signedIn();
      await atLink(holder, made.token).reserve();
      await close(made);
      const stranger = atLink(await signedIn(), made.token);
      expect([await stranger.look(), await stranger.reserve(), await stranger.redeem()]).toEqual([
        reason,
        reason,
        reason,
      ]);
      expect(await atLink(holder, made.token).look()).toHaveProperty('heldUntil');
      expect(await atLink(holder, made.token).redeem()).toHaveProperty('organization');
    },
  );

  it('An address that is not allowed is refused with EMAIL_NOT_ALLOWED, and the address of the account counts once there is one', async () => {
    const { token, campaignId } = await offer({
      allowedEmailDomains: ['partner.example'],
      allowedEmails: ['eve@else.example'],
    });
    const link = atLink(visitorOf(app), token);
    expect(await link.look()).toHaveProperty('campaignName');
    expect(await link.reserve('eve@people.example')).toBe('EMAIL_NOT_ALLOWED');
    expect(await places(campaignId)).toEqual({ used: 0, held: 0 });
    expect(await link.reserve('Eve@Else.example')).toHaveProperty('heldUntil');
    const other = atLink(await signedIn(), token);
    expect([
      await other.look(),
      await other.reserve('ada@partner.example'),
      await other.redeem(),
    ]).toEqual(Array(3).fill('EMAIL_NOT_ALLOWED'));
    expect(await atLink(await signedIn('ada@partner.example'), token).redeem()).toHaveProperty(
      'organization',
    );
  });

  it('A visitor of a campaign without capacity is refused with CAMPAIGN_EXHAUSTED', async () => {
    const { token } = await offer({ maxRedemptions: 1 });
    await atLink(await signedIn(), token).redeem();
    const late = atLink(await signedIn(), token);
    expect([await late.look(), await late.reserve(), await late.redeem()]).toEqual(
      Array(3).fill('CAMPAIGN_EXHAUSTED'),
    );
  });

  it('A signed-in visitor who has not entered the password is refused with PASSWORD_REQUIRED', async () => {
    const { token } = await offer({}, { password: linkPassword });
    const link = atLink(await signedIn(), token);
    expect([await link.reserve(), await link.redeem()]).toEqual([
      'PASSWORD_REQUIRED',
      'PASSWORD_REQUIRED',
    ]);
  });

  it.each(['', 'unknown', '0'.repeat(32), "' or true --", 'ä\u0000'])(
    'The unknown link token %j is refused by every field',
    async (token) => {
      const link = atLink(await signedIn(), token);
      const answers = [
        await link.look(),
        await link.open('x'),
        await link.reserve(),
        await link.redeem(),
        await link.release(),
        await link.workspace(),
      ];
      expect(answers).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', false, null]);
    },
  );

  it('Fields that need an account are refused without a session, and all fields are refused for API keys', async () => {
    const { token } = await offer();
    const nobody = atLink(visitorOf(app), token);
    expect([await nobody.redeem(), await nobody.workspace()]).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
    ]);
    for (const key of [partner.key, (await partner.userKey(partner.administratorId)).key]) {
      const link = atLink(visitorOf(app, { authorization: `Bearer ${key}` }), token);
      const answers = [
        await link.look(),
        await link.open('x'),
        await link.reserve(),
        await link.release(),
        await link.redeem(),
        await link.workspace(),
      ];
      expect(answers).toEqual(Array(6).fill('FORBIDDEN'));
    }
  });
});
