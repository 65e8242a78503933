import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findWrongCounters } from '../../../src/modules/sponsorship/find-wrong-counters.ts';
import { testDatabase } from '../../support/database.ts';
import { minutes, type Partner, partnerOn, reasonOf } from '../../support/redemptions.ts';
import { roundsOf } from '../../support/rounds.ts';

const crowd = 200;
const cap = 50;
const rounds = roundsOf(20);

let database: Awaited<ReturnType<typeof testDatabase>>;
let partner: Partner;
let everybody: string[];

beforeAll(async () => {
  database = await testDatabase({ poolSize: 12 });
  await watchDecisions();
  everybody = await (await partnerOn(database)).people(crowd);
});
beforeEach(async () => {
  partner = await partnerOn(database);
});
afterAll(() => database.close());

/**
 * Keeps what each decision left behind. They wait for each other at the campaign's row, so none is
 * missed and none is in between.
 */
async function watchDecisions(): Promise<void> {
  await database.prisma.$executeRaw`
    create table decisions (campaign_id text, "isHold" boolean, "isGiven" boolean, taken int, cap int)`;
  await database.prisma.$executeRaw`
    create function keep_decision() returns trigger language plpgsql as $$ begin
      insert into decisions values (new.id, current_query() like '%insert into reservations%', new.last_reservation_id is not null,
        new.completed_redemptions + new.reserved_redemptions, new.max_redemptions);
      return null;
    end $$`;
  await database.prisma.$executeRaw`
    create trigger keep_decision after update of reserved_redemptions on campaigns for each row execute function keep_decision()`;
}

const wrongDecisions = (campaignId: string) => database.sql`
  select * from decisions where campaign_id = ${campaignId} and "isHold" and ("isGiven" and taken > cap or not "isGiven" and taken < cap)`;

/** Looks at the campaign all the time, from outside. */
async function sampling<T>(
  campaignId: string,
  run: () => Promise<T>,
): Promise<{ result: T; most: number; samples: number }> {
  let [most, samples, over] = [0, 0, false];
  const watch = async () => {
    while (!over) {
      const { redemptions, live } = await partner.standing(campaignId);
      most = Math.max(most, redemptions + live);
      samples += 1;
    }
  };
  const watching = watch();
  try {
    return { result: await run(), most, samples };
  } finally {
    over = true;
    await watching;
  }
}

const come = async (token: string, userId: string) => {
  const reserved = await reasonOf(partner.reserve(token, { userId }));
  return typeof reserved === 'string'
    ? reserved
    : reasonOf(partner.complete(token, reserved.reservation, userId));
};

/** Everybody who has nothing yet comes, one after the other, until one is refused. */
async function fill(campaignId: string, token: string): Promise<number> {
  const done = await database.prisma.redemption.findMany({
    where: { campaignId },
    select: { userId: true },
  });
  const served = new Set(done.map(({ userId }) => userId));
  for (const userId of everybody.filter((id) => !served.has(id)))
    if ((await come(token, userId)) === 'CAMPAIGN_EXHAUSTED') break;
  return (await partner.standing(campaignId)).completed;
}

describe('200 concurrent people and a limit of 50 redemptions', () => {
  it(`Of 200 concurrent people exactly 50 get a workspace and 150 get CAMPAIGN_EXHAUSTED, in ${rounds} rounds`, {
    timeout: 120_000,
  }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await partner.campaign({ maxRedemptions: cap });
      const { token } = await partner.link(id);
      const { result, most, samples } = await sampling(id, () =>
        Promise.all(everybody.map((userId) => come(token, userId))),
      );
      expect(result.filter((outcome) => outcome === 'CAMPAIGN_EXHAUSTED')).toHaveLength(
        crowd - cap,
      );
      expect(result.filter((outcome) => typeof outcome !== 'string')).toHaveLength(cap);
      expect(samples).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(cap);
      expect(await wrongDecisions(id)).toEqual([]);
      expect(await partner.standing(id)).toEqual({
        completed: cap,
        reserved: 0,
        live: 0,
        redemptions: cap,
        workspaces: cap,
      });
    }
    expect(await findWrongCounters({ database })).toEqual([]);
  });

  it('Released reservations go to other people, and nobody is refused while capacity is free', {
    timeout: 120_000,
  }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await partner.campaign({ maxRedemptions: cap });
      const { token } = await partner.link(id);
      const visit = async (userId: string, index: number) => {
        if (index % 2 === 0) return come(token, userId);
        const reserved = await reasonOf(partner.reserve(token, { userId }));
        if (typeof reserved !== 'string') await partner.release(reserved.reservation);
        return undefined;
      };
      const { most } = await sampling(id, () => Promise.all(everybody.map(visit)));
      expect(most).toBeLessThanOrEqual(cap);
      expect(await fill(id, token)).toBe(cap);
      expect(await wrongDecisions(id)).toEqual([]);
    }
    expect(await findWrongCounters({ database })).toEqual([]);
  });

  it('A limit that changes during concurrent redemptions applies from that moment on', { timeout: 120_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await partner.campaign({ maxRedemptions: cap });
      const { token } = await partner.link(id);
      const caps = [70, 20, 60, 1, cap];
      const changing = async () => {
        for (const maxRedemptions of caps) await partner.change(id, { maxRedemptions });
      };
      const { most } = await sampling(id, () =>
        Promise.all([changing(), ...everybody.map((userId) => come(token, userId))]),
      );
      expect(most).toBeLessThanOrEqual(Math.max(...caps));
      expect(await fill(id, token)).toBeGreaterThanOrEqual(cap);
      expect(await wrongDecisions(id)).toEqual([]);
    }
    expect(await findWrongCounters({ database })).toEqual([]);
  });

  it('Expired reservations do not take up capacity', { timeout: 120_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await partner.campaign({ maxRedemptions: cap });
      const { token } = await partner.link(id);
      await Promise.all(
        everybody.slice(0, cap).map((userId) => partner.reserve(token, { userId })),
      );
      partner.passTime(minutes(30));
      const { result, most } = await sampling(id, () =>
        Promise.all(everybody.map((userId) => come(token, userId))),
      );
      expect(result.filter((outcome) => outcome === 'CAMPAIGN_EXHAUSTED')).toHaveLength(
        crowd - cap,
      );
      expect(most).toBeLessThanOrEqual(cap);
      expect(await wrongDecisions(id)).toEqual([]);
      expect(await partner.standing(id)).toEqual({
        completed: cap,
        reserved: 0,
        live: 0,
        redemptions: cap,
        workspaces: cap,
      });
    }
    expect(await findWrongCounters({ database })).toEqual([]);
  });
});

describe('50 concurrent requests of one person', () => {
  it('Fifty concurrent redemptions of one person create one workspace and leave no reservation', { timeout: 60_000 }, async () => {
    const { id } = await partner.campaign();
    const { token } = await partner.link(id);
    const [userId = ''] = everybody;
    const reserved = await Promise.all(
      Array.from({ length: 50 }, () => partner.reserve(token, { userId })),
    );
    const outcomes = await Promise.all(
      reserved.map(({ reservation }) => reasonOf(partner.complete(token, reservation, userId))),
    );
    expect(outcomes.filter((outcome) => outcome !== 'ALREADY_REDEEMED')).toHaveLength(1);
    expect(await partner.standing(id)).toEqual({
      completed: 1,
      reserved: 0,
      live: 0,
      redemptions: 1,
      workspaces: 1,
    });
    expect(
      await database.prisma.membership.count({
        where: { userId, organization: { redemption: { campaignId: id } } },
      }),
    ).toBe(1);
  });

  it('Fifty concurrent redemptions with the same reservation get the same result', {
    timeout: 60_000,
  }, async () => {
    const { id } = await partner.campaign({ maxRedemptions: 1 });
    const { token } = await partner.link(id);
    const [userId = ''] = everybody;
    const { reservation } = await partner.reserve(token, { userId });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => partner.complete(token, reservation, userId)),
    );
    expect(new Set(outcomes.map(({ redemptionId }) => redemptionId)).size).toBe(1);
    expect(await partner.standing(id)).toEqual({
      completed: 1,
      reserved: 0,
      live: 0,
      redemptions: 1,
      workspaces: 1,
    });
  });
});
