import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findWrongCounters } from '../../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import { testDatabase } from '../../../support/database.ts';
import { minutes, type Partner, partnerOn, reasonOf } from '../../../support/redemptions.ts';
import { rounds } from '../../../support/rounds.ts';

const peopleCount = 200;
const redemptionsMax = 50;

let database: Awaited<ReturnType<typeof testDatabase>>;
let partner: Partner;
let userIds: string[];

beforeAll(async () => {
  database = await testDatabase({ poolSize: 12 });
  await recordDecisions();
  userIds = await (await partnerOn(database)).people(peopleCount);
});
beforeEach(async () => {
  partner = await partnerOn(database);
});
afterAll(() => database.close());

/**
 * Records the counters after each decision with a trigger. Decisions lock the campaign's row one
 * after the other, so the trigger sees each of them in order.
 */
async function recordDecisions(): Promise<void> {
  await database.prisma.$executeRaw`
    create table decisions (campaign_id text, "isReservation" boolean, "isGranted" boolean, occupied int, redemptions_max int)`;
  await database.prisma.$executeRaw`
    create function record_decision() returns trigger language plpgsql as $$ begin
      insert into decisions values (new.id, current_query() like '%insert into reservations%', new.last_reservation_id is not null,
        new.completed_redemptions + new.reserved_redemptions, new.max_redemptions);
      return null;
    end $$`;
  await database.prisma.$executeRaw`
    create trigger record_decision after update of reserved_redemptions on campaigns for each row execute function record_decision()`;
}

const wrongDecisions = (campaignId: string) => database.sql`
  select * from decisions where campaign_id = ${campaignId} and "isReservation" and ("isGranted" and occupied > redemptions_max or not "isGranted" and occupied < redemptions_max)`;

/** Reads the campaign repeatedly while `run` is running, and returns the highest count. */
async function sampleDuring<T>(
  campaignId: string,
  run: () => Promise<T>,
): Promise<{ result: T; occupiedMax: number; samples: number }> {
  let [occupiedMax, samples, isDone] = [0, 0, false];
  const sample = async () => {
    while (!isDone) {
      const { redemptions, live } = await partner.counters(campaignId);
      occupiedMax = Math.max(occupiedMax, redemptions + live);
      samples += 1;
    }
  };
  const sampler = sample();
  try {
    return { result: await run(), occupiedMax, samples };
  } finally {
    isDone = true;
    await sampler;
  }
}

const reserveAndComplete = async (token: string, userId: string) => {
  const reserved = await reasonOf(partner.reserve(token, { userId }));
  return typeof reserved === 'string'
    ? reserved
    : reasonOf(partner.complete(token, reserved.reservation, userId));
};

/** Lets people without a redemption redeem one after the other until one is refused. */
async function redeemUntilExhausted(campaignId: string, token: string): Promise<number> {
  const redemptions = await database.prisma.redemption.findMany({
    where: { campaignId },
    select: { userId: true },
  });
  const served = new Set(redemptions.map(({ userId }) => userId));
  for (const userId of userIds.filter((id) => !served.has(id)))
    if ((await reserveAndComplete(token, userId)) === 'CAMPAIGN_EXHAUSTED') break;
  return (await partner.counters(campaignId)).completed;
}

type Round = { campaignId: string; token: string };

/** A race at a campaign for 50 redemptions, in several rounds. Every decision about it is right. */
const itHoldsIn = (title: string, race: (round: Round) => Promise<void>) =>
  it(`${title}, in ${rounds} rounds`, { timeout: 60_000 + rounds * 6_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id: campaignId } = await partner.campaign({ maxRedemptions: redemptionsMax });
      const { token } = await partner.link(campaignId);
      await race({ campaignId, token });
      expect(await wrongDecisions(campaignId)).toEqual([]);
    }
    expect(await findWrongCounters({ database })).toEqual([]);
  });

/** The counters of a campaign without open reservations. */
const onlyRedemptions = (count: number) => ({
  completed: count,
  reserved: 0,
  live: 0,
  redemptions: count,
  workspaces: count,
});

/** All people redeem at once: 50 of them get a workspace, and the others are refused. */
async function redeemTogether({ campaignId, token }: Round): Promise<{ samples: number }> {
  const { result, occupiedMax, samples } = await sampleDuring(campaignId, () =>
    Promise.all(userIds.map((userId) => reserveAndComplete(token, userId))),
  );
  expect(result.filter((outcome) => outcome === 'CAMPAIGN_EXHAUSTED')).toHaveLength(
    peopleCount - redemptionsMax,
  );
  expect(result.filter((outcome) => typeof outcome !== 'string')).toHaveLength(redemptionsMax);
  expect(occupiedMax).toBeLessThanOrEqual(redemptionsMax);
  expect(await partner.counters(campaignId)).toEqual(onlyRedemptions(redemptionsMax));
  return { samples };
}

describe('200 concurrent people and a limit of 50 redemptions', () => {
  itHoldsIn(
    'Of 200 concurrent people exactly 50 get a workspace and 150 get CAMPAIGN_EXHAUSTED',
    async (round) => {
      const { samples } = await redeemTogether(round);
      expect(samples).toBeGreaterThan(0);
    },
  );

  itHoldsIn(
    'Released reservations go to other people, and nobody is refused while capacity is free',
    async ({ campaignId, token }) => {
      const reserveAndMaybeRelease = async (userId: string, index: number) => {
        if (index % 2 === 0) return reserveAndComplete(token, userId);
        const reserved = await reasonOf(partner.reserve(token, { userId }));
        if (typeof reserved !== 'string') await partner.release(reserved.reservation);
        return undefined;
      };
      const { occupiedMax } = await sampleDuring(campaignId, () =>
        Promise.all(userIds.map(reserveAndMaybeRelease)),
      );
      expect(occupiedMax).toBeLessThanOrEqual(redemptionsMax);
      expect(await redeemUntilExhausted(campaignId, token)).toBe(redemptionsMax);
    },
  );

  itHoldsIn(
    'A limit that changes during concurrent redemptions applies from that moment on',
    async ({ campaignId, token }) => {
      const limitsInTurn = [70, 20, 60, 1, redemptionsMax];
      const changeLimits = async () => {
        for (const maxRedemptions of limitsInTurn)
          await partner.change(campaignId, { maxRedemptions });
      };
      const { occupiedMax } = await sampleDuring(campaignId, () =>
        Promise.all([
          changeLimits(),
          ...userIds.map((userId) => reserveAndComplete(token, userId)),
        ]),
      );
      expect(occupiedMax).toBeLessThanOrEqual(Math.max(...limitsInTurn));
      expect(await redeemUntilExhausted(campaignId, token)).toBeGreaterThanOrEqual(redemptionsMax);
    },
  );

  itHoldsIn('Expired reservations do not take up capacity', async (round) => {
    await Promise.all(
      userIds.slice(0, redemptionsMax).map((userId) => partner.reserve(round.token, { userId })),
    );
    partner.passTime(minutes(30));
    await redeemTogether(round);
  });
});

describe('50 concurrent requests of one person', () => {
  it('Fifty concurrent reservations of one person take one place, in a campaign with free places and in a full one', {
    timeout: 60_000,
  }, async () => {
    const [userId = ''] = userIds;
    for (const maxRedemptions of [1, redemptionsMax]) {
      const { id } = await partner.campaign({ maxRedemptions });
      const { token } = await partner.link(id);
      const { result, occupiedMax } = await sampleDuring(id, () =>
        Promise.all(Array.from({ length: 50 }, () => reasonOf(partner.reserve(token, { userId })))),
      );
      expect(result.filter((outcome) => typeof outcome === 'string')).toEqual([]);
      expect(occupiedMax).toBe(1);
      expect(await partner.counters(id)).toMatchObject({ reserved: 1, live: 1 });
    }
    expect(await findWrongCounters({ database })).toEqual([]);
  });

  it('Fifty concurrent redemptions of one person create one workspace and leave no reservation', {
    timeout: 60_000,
  }, async () => {
    const { id } = await partner.campaign();
    const { token } = await partner.link(id);
    const [userId = ''] = userIds;
    const reserved = await Promise.all(
      Array.from({ length: 50 }, () => partner.reserve(token, { userId })),
    );
    const outcomes = await Promise.all(
      reserved.map(({ reservation }) => reasonOf(partner.complete(token, reservation, userId))),
    );
    expect(outcomes.filter((outcome) => outcome !== 'ALREADY_REDEEMED')).toHaveLength(1);
    expect(await partner.counters(id)).toEqual(onlyRedemptions(1));
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
    const [userId = ''] = userIds;
    const { reservation } = await partner.reserve(token, { userId });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => partner.complete(token, reservation, userId)),
    );
    expect(new Set(outcomes.map(({ redemptionId }) => redemptionId)).size).toBe(1);
    expect(await partner.counters(id)).toEqual(onlyRedemptions(1));
  });
});
