import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewLink } from '../../../../src/modules/sponsorship/redeeming/preview-link.ts';
import { redeemSponsorship } from '../../../../src/modules/sponsorship/redeeming/redeem-sponsorship.ts';
import { reserveRedemption } from '../../../../src/modules/sponsorship/redeeming/reserve-redemption.ts';
import { AppError } from '../../../../src/platform/errors.ts';
import { createLimits, type RateLimits } from '../../../../src/platform/limits.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { testDatabase } from '../../../support/database.ts';
import { minutes, type Partner, partnerOn, reasonOf } from '../../../support/redemptions.ts';

const perNetworkMax = 20;
const perWideNetworkMax = 100;
let database: Awaited<ReturnType<typeof testDatabase>>;
let partner: Partner;
let limits: RateLimits;
let networks = 0;

beforeAll(async () => {
  database = await testDatabase({ poolSize: 12 });
  partner = await partnerOn(database);
  limits = await createLimits({ log: createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }) });
});
afterAll(async () => {
  await limits.close();
  await database.close();
});

/** An address in a /24 that no other test uses. */
function newAddress(): string {
  networks += 1;
  return `198.18.${networks}.1`;
}

/** Reserves from an address; returns the reservation, or the code of the refusal. */
async function reserve(token: string, clientAddress: string, reservation: string | null = null) {
  try {
    return (await partner.reserve(token, { reservation, clientAddress })).reservation;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
async function redeem({
  token,
  userId,
  clientAddress,
}: {
  token: string;
  userId: string;
  clientAddress: string;
}) {
  const reservation = await reserve(token, clientAddress);
  const request = {
    token,
    userId,
    organizationName: 'Workspace',
    passwordGrant: null,
    reservation,
    clientAddress,
    requestId: 'none',
  };
  return { request, workspace: await redeemSponsorship(request, dependenciesWith(1_000)) };
}
const dependenciesWith = (redemptionLimit: number) => ({
  ...partner.dependencies,
  limits,
  redemptionLimit,
});
const reserveMany = (token: string, clientAddress: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => reserve(token, clientAddress)));
const countRefused = (outcomes: string[]) =>
  outcomes.filter((outcome) => outcome === 'RATE_LIMITED').length;

describe('a network', () => {
  it('A network has at most twenty reservations over all links, even with concurrent requests, and does not use up those of another network', async () => {
    const [firstOffer, secondOffer] = [await partner.offer(), await partner.offer()];
    const address = newAddress();
    const outcomes = (
      await Promise.all([
        reserveMany(firstOffer.token, address, 15),
        reserveMany(secondOffer.token, address, 15),
      ])
    ).flat();
    expect(countRefused(outcomes)).toBe(10);
    expect(
      (await partner.counters(firstOffer.campaignId)).live +
        (await partner.counters(secondOffer.campaignId)).live,
    ).toBe(perNetworkMax);
    expect(countRefused(await reserveMany(firstOffer.token, newAddress(), 5))).toBe(0);
  });

  it('For IPv6 the network is a /64, and a /48 has at most a hundred reservations', async () => {
    const { token } = await partner.offer();
    const outcomes = await Promise.all(
      Array.from({ length: perNetworkMax + 2 }, (_, index) =>
        reserve(token, `2001:db8:7:7::${index + 1}`),
      ),
    );
    expect(countRefused(outcomes)).toBe(2);
    const wideOutcomes = await Promise.all(
      Array.from({ length: perWideNetworkMax }, (_, index) =>
        reserve(token, `2001:db8:7:${(index + 8).toString(16)}::1`),
      ),
    );
    expect(countRefused(wideOutcomes)).toBe(perNetworkMax);
  });

  it('A network that renews its reservations for an hour still has at most twenty', async () => {
    const { token, campaignId } = await partner.offer();
    const address = newAddress();
    let reservations = await reserveMany(token, address, perNetworkMax);
    for (let passed = 0; passed < 61; passed += 20) {
      partner.passTime(minutes(20));
      reservations = await Promise.all(
        reservations.map((reservation) => reserve(token, address, reservation)),
      );
      expect(countRefused([...reservations, ...(await reserveMany(token, address, 3))])).toBe(3);
      expect(await partner.counters(campaignId)).toMatchObject({ live: perNetworkMax });
    }
  });

  it('A network gets no more reservations by releasing them twice or renewing them from another network', async () => {
    const { token, campaignId } = await partner.offer();
    const [homeAddress, otherAddress] = [newAddress(), newAddress()];
    const [first = '', second = ''] = await reserveMany(token, homeAddress, perNetworkMax);
    await reserve(token, otherAddress, first);
    expect(countRefused(await reserveMany(token, homeAddress, 1))).toBe(1);
    for (let times = 0; times < 5; times += 1) await partner.release(second);
    expect(countRefused(await reserveMany(token, homeAddress, 5))).toBe(4);
    expect(countRefused(await reserveMany(token, otherAddress, perNetworkMax + 1))).toBe(1);
    expect(await partner.counters(campaignId)).toMatchObject({
      reserved: 2 * perNetworkMax,
      live: 2 * perNetworkMax,
    });
  });

  it('A network at its limit can still renew each of its reservations', async () => {
    const { token, campaignId } = await partner.offer();
    const address = newAddress();
    const [reservation = ''] = await reserveMany(token, address, perNetworkMax);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => reserve(token, address, reservation)),
    );
    expect(countRefused(outcomes)).toBe(9);
    expect(await partner.counters(campaignId)).toMatchObject({ reserved: perNetworkMax });
  });

  it('A network can reserve again when a reservation has expired or was redeemed', async () => {
    const { token, campaignId } = await partner.offer();
    const clientAddress = newAddress();
    for (const userId of await partner.people(perNetworkMax + 5))
      await redeem({ token, userId, clientAddress });
    expect(await partner.counters(campaignId)).toMatchObject({
      completed: perNetworkMax + 5,
      reserved: 0,
    });
    expect(countRefused(await reserveMany(token, clientAddress, perNetworkMax + 1))).toBe(1);
    partner.passTime(minutes(30));
    expect(countRefused(await reserveMany(token, clientAddress, perNetworkMax + 1))).toBe(1);
  });

  it('A network gets no more reservations by redeeming a used reservation again', async () => {
    const { token } = await partner.offer();
    const clientAddress = newAddress();
    const [userId = '', ...otherUserIds] = await partner.people(5);
    const { request, workspace } = await redeem({ token, userId, clientAddress });
    for (let times = 0; times < 3; times += 1)
      expect(await redeemSponsorship(request, dependenciesWith(1_000))).toEqual(workspace);
    for (const otherUserId of otherUserIds)
      await redeemSponsorship(
        { ...request, userId: otherUserId, reservation: null },
        dependenciesWith(1_000),
      );
    expect(countRefused(await reserveMany(token, clientAddress, perNetworkMax + 3))).toBe(3);
  });

  it('A request that is refused for another reason does not count for the limit of the network', async () => {
    const { token } = await partner.offer();
    const closed = await partner.offer({ expiresAt: partner.dependencies.clock() });
    const address = newAddress();
    await reserveMany(closed.token, address, perNetworkMax + 5);
    expect(countRefused(await reserveMany(token, address, perNetworkMax + 1))).toBe(1);
  });
});

describe('limits of redemptions', () => {
  const requestOf = (token: string, userId: string, clientAddress: string) => ({
    ...{
      token,
      userId,
      clientAddress,
      organizationName: 'Workspace',
      passwordGrant: null,
      reservation: null,
      requestId: 'none',
    },
  });
  const outcomes = async (requests: ReturnType<typeof requestOf>[], redemptionLimit = 5) => {
    const settled = await Promise.allSettled(
      requests.map((request) => redeemSponsorship(request, dependenciesWith(redemptionLimit))),
    );
    return settled.map((result) =>
      result.status === 'fulfilled' ? 'REDEEMED' : (result.reason as AppError).code,
    );
  };
  const countRedeemed = (results: string[]) =>
    results.filter((result) => result === 'REDEEMED').length;

  it('A network can redeem up to its limit, even with concurrent requests, and does not use up the limit of another network', async () => {
    const { token, campaignId } = await partner.offer();
    const address = newAddress();
    const people = await partner.people(9);
    const all = await outcomes(
      people.slice(0, 8).map((userId) => requestOf(token, userId, address)),
    );
    expect([countRedeemed(all), countRefused(all)]).toEqual([5, 3]);
    expect(await partner.counters(campaignId)).toMatchObject({ completed: 5 });
    expect(await outcomes([requestOf(token, people[8] ?? '', newAddress())])).toEqual(['REDEEMED']);
  });

  it('A person can redeem three workspaces an hour over all campaigns and networks', async () => {
    const [userId = ''] = await partner.people(1);
    const offers = await Promise.all(Array.from({ length: 5 }, () => partner.offer()));
    expect(
      countRedeemed(
        await outcomes(offers.map(({ token }) => requestOf(token, userId, newAddress()))),
      ),
    ).toBe(3);
  });

  it('Repeated and refused redemptions do not count for the limit', async () => {
    const { token } = await partner.offer();
    const full = await partner.offer({ maxRedemptions: 1 });
    const address = newAddress();
    const people = await partner.people(8);
    await partner.redeem(full.token, people[7] ?? '');
    expect(
      await outcomes(people.slice(0, 4).map((userId) => requestOf(full.token, userId, address))),
    ).toEqual(Array(4).fill('FORBIDDEN'));
    const [first = ''] = people;
    for (let times = 0; times < 4; times += 1) await outcomes([requestOf(token, first, address)]);
    expect(
      countRedeemed(
        await outcomes(people.slice(1, 6).map((userId) => requestOf(token, userId, address))),
      ),
    ).toBe(4);
  });

  it('With the setting allowListNeedsVerifiedEmail, a campaign with an allow-list requires a verified address', async () => {
    const { token } = await partner.offer({ allowedEmailDomains: ['people.example'] });
    const open = await partner.offer();
    const [userId = ''] = await partner.people(1);
    const strict = { ...dependenciesWith(5), allowListNeedsVerifiedEmail: true };
    const redeemOnce = (at: string) =>
      redeemSponsorship(requestOf(at, userId, newAddress()), strict);
    expect(await reasonOf(redeemOnce(token))).toBe('EMAIL_NOT_VERIFIED');
    expect(await reasonOf(reserveRedemption({ token, userId, passwordGrant: null }, strict))).toBe(
      'EMAIL_NOT_VERIFIED',
    );
    expect(await reasonOf(previewLink({ token, userId, passwordGrant: null }, strict))).toBe(
      'EMAIL_NOT_VERIFIED',
    );
    expect(await redeemOnce(open.token)).toHaveProperty('organizationId');
    await database.prisma.user.update({ where: { id: userId }, data: { emailVerified: true } });
    expect(await redeemOnce(token)).toHaveProperty('organizationId');
  });
});
