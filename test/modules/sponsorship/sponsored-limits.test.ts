import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redeemSponsorship } from '../../../src/modules/sponsorship/redeem-sponsorship.ts';
import { reserveSponsorship } from '../../../src/modules/sponsorship/reserve-sponsorship.ts';
import { AppError } from '../../../src/platform/errors.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { type Partner, partnerOn } from '../../support/redemptions.ts';

const placesMax = 20;
let app: TestApp;
let partner: Partner;
let networks = 0;

beforeAll(async () => {
  app = await testApp();
  partner = await partnerOn(app.database);
});
afterAll(() => app.close());

function newAddress(): string {
  networks += 1;
  return `198.51.100.${networks}`;
}
const parts = () => ({ ...partner.parts, limits: app.contextParts.limits });

/** The reservation, or why there is none. */
async function reserve(token: string, clientAddress: string, reservation: string | null = null) {
  try {
    return (await reserveSponsorship({ token, userId: null, passwordGrant: null, reservation, clientAddress }, parts())).reservation;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
async function redeem({ token, userId, clientAddress }: { token: string; userId: string; clientAddress: string }) {
  const reservation = await reserve(token, clientAddress);
  const visit = { token, userId, organizationName: 'Workspace', passwordGrant: null, reservation, clientAddress, requestId: 'none' };
  return { visit, made: await redeemSponsorship(visit, parts()) };
}
const take = (token: string, clientAddress: string, count: number) => Promise.all(Array.from({ length: count }, () => reserve(token, clientAddress)));
const refused = (outcomes: string[]) => outcomes.filter((outcome) => outcome === 'RATE_LIMITED').length;

describe('places that one network holds', () => {
  it('are twenty over all links, however many are asked for at once, and none of another network’s', async () => {
    const [one, other] = [await partner.offer(), await partner.offer()];
    const address = newAddress();
    const outcomes = (await Promise.all([take(one.token, address, 15), take(other.token, address, 15)])).flat();
    expect(refused(outcomes)).toBe(10);
    expect((await partner.standing(one.campaignId)).reserved + (await partner.standing(other.campaignId)).reserved).toBe(placesMax);
    expect(refused(await take(one.token, newAddress(), 5))).toBe(0);
  });

  it('of one IPv6 network count together', async () => {
    const { token } = await partner.offer();
    const outcomes = await Promise.all(Array.from({ length: placesMax + 2 }, (_, index) => reserve(token, `2001:db8:7:7::${index + 1}`)));
    expect(refused(outcomes)).toBe(2);
  });

  it('are kept by who has one although there are no more, but only once by each', async () => {
    const { token, campaignId } = await partner.offer();
    const address = newAddress();
    const [mine = ''] = await take(token, address, placesMax);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => reserve(token, address, mine)));
    expect(refused(outcomes)).toBe(9);
    expect(await partner.standing(campaignId)).toMatchObject({ reserved: placesMax });
  });

  it('are not used up by who keeps theirs again and again', async () => {
    const { token } = await partner.offer();
    const address = newAddress();
    let mine: string | null = null;
    for (let times = 0; times < placesMax + 5; times += 1) mine = await reserve(token, address, mine);
    expect(refused(await take(token, address, placesMax))).toBe(1);
  });

  it('are there again for each that was turned into a workspace: a class behind one address may be larger', async () => {
    const { token, campaignId } = await partner.offer();
    const clientAddress = newAddress();
    for (const userId of await partner.people(placesMax + 5)) await redeem({ token, userId, clientAddress });
    expect(await partner.standing(campaignId)).toMatchObject({ completed: placesMax + 5, reserved: 0 });
  });

  it('are not there again for a workspace whose reservation is shown again, nor for one without a reservation', async () => {
    const { token } = await partner.offer();
    const clientAddress = newAddress();
    const [userId = '', ...others] = await partner.people(5);
    const { visit, made } = await redeem({ token, userId, clientAddress });
    for (let times = 0; times < 3; times += 1) expect(await redeemSponsorship(visit, parts())).toEqual(made);
    for (const other of others) await redeemSponsorship({ ...visit, userId: other, reservation: null }, parts());
    expect(refused(await take(token, clientAddress, placesMax + 3))).toBe(3);
  });

  it('are not used up by who is refused for another reason', async () => {
    const { token } = await partner.offer();
    const closed = await partner.offer({ expiresAt: partner.parts.clock() });
    const address = newAddress();
    await take(closed.token, address, placesMax + 5);
    expect(refused(await take(token, address, placesMax + 1))).toBe(1);
  });
});
