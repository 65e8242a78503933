import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../../src/modules/accounts/sign-up/create-account.ts';
import { systemActor } from '../../../../src/modules/audit/system-actor.ts';
import { updateLink } from '../../../../src/modules/sponsorship/links/update-link.ts';
import { addMonths } from '../../../../src/modules/sponsorship/redemptions/add-months.ts';
import { inTransaction } from '../../../../src/platform/database/transaction.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { cookieClient, sponsoredLinkCalls } from '../../../support/cookie-client.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { minutes } from '../../../support/redemptions.ts';

const linkPassword = 'open sesame';
let app: TestApp;
let partner: TestPartner;
let now = Date.now();
let peopleCount = 0;
const clock = () => new Date(now);

beforeAll(async () => {
  app = await testApp({}, { clock });
  partner = await partnerIn(app);
});
afterAll(() => app.close());

/** Creates a campaign with a link. */
async function createOffer(
  campaign: Record<string, unknown> = {},
  link: Record<string, unknown> = {},
) {
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
  const actor = systemActor(partner.id);
  return updateLink({ linkId, isActive: false }, { ...app.contextParts, actor });
};
/** The numbers of completed and reserved redemptions of a campaign. */
async function countsOf(campaignId: string) {
  const { completedRedemptions: completed, reservedRedemptions: reserved } =
    await app.database.prisma.campaign.findUniqueOrThrow({ where: { id: campaignId } });
  return { completed, reserved };
}

async function createPerson(email?: string) {
  peopleCount += 1;
  const account = {
    email: email ?? `person${peopleCount}@people.example`,
    firstName: 'Pia',
    lastName: 'Person',
    passwordHash: 'none',
    at: clock(),
  };
  return inTransaction(app.database, (tx) => createAccount(account, tx));
}

async function signedInVisitor(email?: string) {
  const visitor = cookieClient(app);
  const { id } = await createPerson(email);
  await visitor.signIn(id);
  return Object.assign(visitor, { userId: id });
}

describe('a sponsored link', () => {
  it('Everyone can see the offer of a sponsored link: sponsor, duration, seats and end', async () => {
    const { token } = await createOffer();
    expect(await sponsoredLinkCalls(cookieClient(app), token).look()).toEqual({
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
    const { token, campaignId } = await createOffer({}, { password: linkPassword });
    const visitor = cookieClient(app);
    const link = sponsoredLinkCalls(visitor, token);
    expect(await link.look()).toMatchObject({ needsPassword: true });
    expect(await link.reserve()).toBe('PASSWORD_REQUIRED');
    expect(await link.open('Open sesame')).toBe('PASSWORD_WRONG');
    expect(await link.open(linkPassword)).toMatchObject({ needsPassword: false, heldUntil: null });
    const heldUntil = new Date(now + minutes(30)).toISOString();
    expect(await link.reserve('pia@people.example')).toMatchObject({ heldUntil });
    expect(await link.look()).toMatchObject({ heldUntil, needsPassword: false });

    await visitor.signIn((await createPerson()).id);
    expect(await link.workspace()).toBeNull();
    const workspace = {
      sponsorName: partner.slug,
      campaignName: 'Summer',
      durationMonths: 6,
      includedSeats: 25,
      sponsoredUntil: addMonths(clock(), 6).toISOString(),
      organization: { id: expect.any(String), name: 'Bäckerei Öz', memberCount: 1 },
    };
    expect(await link.redeem('Bäckerei Öz')).toEqual(workspace);
    expect(await countsOf(campaignId)).toEqual({ completed: 1, reserved: 0 });
    expect([...visitor.cookies.keys()].filter((name) => /grant|place/.test(name))).toEqual([]);
    expect(await link.look()).toBe('ALREADY_REDEEMED');
    expect(await link.workspace()).toEqual(workspace);
  });

  it('A browser has one reservation, even with repeated requests', async () => {
    const { token, campaignId } = await createOffer({ maxRedemptions: 1 });
    const link = sponsoredLinkCalls(cookieClient(app), token);
    for (let times = 0; times < 3; times += 1)
      expect(await link.reserve()).toHaveProperty('heldUntil');
    expect(await countsOf(campaignId)).toEqual({ completed: 0, reserved: 1 });
    // The reservation exhausts the offer for other visitors only.
    expect(await link.look()).toHaveProperty('heldUntil');
    expect(await sponsoredLinkCalls(cookieClient(app), token).look()).toBe('CAMPAIGN_EXHAUSTED');
    expect(await sponsoredLinkCalls(cookieClient(app), token).reserve()).toBe('CAMPAIGN_EXHAUSTED');
    now += minutes(20);
    expect(await link.reserve()).toMatchObject({
      heldUntil: new Date(now + minutes(30)).toISOString(),
    });
  });

  it('A released reservation is free for other visitors, and a second release returns false', async () => {
    const { token } = await createOffer({ maxRedemptions: 1 });
    const link = sponsoredLinkCalls(cookieClient(app), token);
    await link.reserve();
    expect([await link.release(), await link.release()]).toEqual([true, false]);
    expect(await sponsoredLinkCalls(cookieClient(app), token).reserve()).toHaveProperty(
      'heldUntil',
    );
  });

  it('Repeated redemptions create one workspace, and a redemption works without a reservation', async () => {
    const { token, campaignId } = await createOffer();
    const visitor = await signedInVisitor();
    const link = sponsoredLinkCalls(visitor, token);
    await link.reserve();
    const before = new Map(visitor.cookies);
    const first = await link.redeem();
    // The response was lost, and the browser repeats the request with its earlier cookies.
    for (const [name, cookie] of before) visitor.cookies.set(name, cookie);
    expect(await link.redeem('Another name')).toEqual(first);
    expect(await link.redeem()).toBe('ALREADY_REDEEMED');
    expect(await countsOf(campaignId)).toEqual({ completed: 1, reserved: 0 });
    expect(await sponsoredLinkCalls(await signedInVisitor(), token).redeem()).toHaveProperty(
      'organization.name',
      'Workspace',
    );
  });

  it('Only the person who redeemed can see the workspace, and only while they are a member', async () => {
    const { token } = await createOffer();
    const visitor = await signedInVisitor();
    const link = sponsoredLinkCalls(visitor, token);
    await link.redeem();
    expect(await sponsoredLinkCalls(await signedInVisitor(), token).workspace()).toBeNull();
    expect(await link.workspace()).toHaveProperty('organization');
    await app.database.prisma.membership.deleteMany({ where: { userId: visitor.userId } });
    expect(await link.workspace()).toBeNull();
  });
});

describe('refused visitors', () => {
  const closings: [string, (offer: Awaited<ReturnType<typeof createOffer>>) => Promise<unknown>][] =
    [
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
      const offer = await createOffer();
      const visitorWithReservation = await signedInVisitor();
      await sponsoredLinkCalls(visitorWithReservation, offer.token).reserve();
      await close(offer);
      const otherVisitor = sponsoredLinkCalls(await signedInVisitor(), offer.token);
      expect([
        await otherVisitor.look(),
        await otherVisitor.reserve(),
        await otherVisitor.redeem(),
      ]).toEqual([reason, reason, reason]);
      expect(await sponsoredLinkCalls(visitorWithReservation, offer.token).look()).toHaveProperty(
        'heldUntil',
      );
      expect(await sponsoredLinkCalls(visitorWithReservation, offer.token).redeem()).toHaveProperty(
        'organization',
      );
    },
  );

  it('An address that is not allowed is refused with EMAIL_NOT_ALLOWED, and the address of the account counts once there is one', async () => {
    const { token, campaignId } = await createOffer({
      allowedEmailDomains: ['partner.example'],
      allowedEmails: ['eve@else.example'],
    });
    const link = sponsoredLinkCalls(cookieClient(app), token);
    expect(await link.look()).toHaveProperty('campaignName');
    expect(await link.reserve('eve@people.example')).toBe('EMAIL_NOT_ALLOWED');
    expect(await countsOf(campaignId)).toEqual({ completed: 0, reserved: 0 });
    expect(await link.reserve('Eve@Else.example')).toHaveProperty('heldUntil');
    const other = sponsoredLinkCalls(await signedInVisitor(), token);
    expect([
      await other.look(),
      await other.reserve('ada@partner.example'),
      await other.redeem(),
    ]).toEqual(Array(3).fill('EMAIL_NOT_ALLOWED'));
    expect(
      await sponsoredLinkCalls(await signedInVisitor('ada@partner.example'), token).redeem(),
    ).toHaveProperty('organization');
  });

  it('A visitor of a campaign without capacity is refused with CAMPAIGN_EXHAUSTED', async () => {
    const { token } = await createOffer({ maxRedemptions: 1 });
    await sponsoredLinkCalls(await signedInVisitor(), token).redeem();
    const lateVisitor = sponsoredLinkCalls(await signedInVisitor(), token);
    expect([
      await lateVisitor.look(),
      await lateVisitor.reserve(),
      await lateVisitor.redeem(),
    ]).toEqual(Array(3).fill('CAMPAIGN_EXHAUSTED'));
  });

  it('A signed-in visitor who has not entered the password is refused with PASSWORD_REQUIRED', async () => {
    const { token } = await createOffer({}, { password: linkPassword });
    const link = sponsoredLinkCalls(await signedInVisitor(), token);
    expect([await link.reserve(), await link.redeem()]).toEqual([
      'PASSWORD_REQUIRED',
      'PASSWORD_REQUIRED',
    ]);
  });

  it.each(['', 'unknown', '0'.repeat(32), "' or true --", 'ä\u0000'])(
    'The unknown link token %j is refused by every field',
    async (token) => {
      const link = sponsoredLinkCalls(await signedInVisitor(), token);
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
    const { token } = await createOffer();
    const anonymousVisitor = sponsoredLinkCalls(cookieClient(app), token);
    expect([await anonymousVisitor.redeem(), await anonymousVisitor.workspace()]).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
    ]);
    for (const key of [partner.key, (await partner.userKey(partner.administratorId)).key]) {
      const link = sponsoredLinkCalls(cookieClient(app, { authorization: `Bearer ${key}` }), token);
      const answers = [
        await link.look(),
        await link.open('x'),
        await link.reserve(),
        await link.release(),
        await link.redeem(),
        await link.workspace(),
      ];
      expect(answers).toEqual(Array(6).fill('PEOPLE_ONLY'));
    }
  });
});
