import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWrongCounters } from '../../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import { readCampaign } from '../../../../src/modules/sponsorship/campaigns/read-campaigns.ts';
import { readLink } from '../../../../src/modules/sponsorship/links/read-links.ts';
import { readRedemption } from '../../../../src/modules/sponsorship/redemptions/read-redemptions.ts';
import { AppError } from '../../../../src/platform/errors.ts';
import { testDatabase } from '../../../support/database.ts';
import { RedemptionModel } from '../../../support/redemption-model.ts';
import { personOf, redemptionSteps } from '../../../support/redemption-steps.ts';
import { type Partner, partnerOn } from '../../../support/redemptions.ts';

const sequences = 500;
const chunks = 10;

let database: Awaited<ReturnType<typeof testDatabase>>;
let partner: Partner;
let people: string[];

beforeAll(async () => {
  database = await testDatabase();
  partner = await partnerOn(database);
  people = await partner.people(4);
});
afterAll(() => database.close());

const reachedOutcomes = new Set<string>();

/** The result of an operation, or the reason or code of its refusal. */
async function outcomeOf<T>(work: Promise<T>): Promise<T | string> {
  try {
    const result = await work;
    reachedOutcomes.add('done');
    return result;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refusal = error.reason ?? error.code;
    reachedOutcomes.add(refusal);
    return refusal;
  }
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Expects the database to have exactly the campaigns, links and redemptions of the model. */
async function expectEqualState(model: RedemptionModel): Promise<void> {
  const { organizationId } = partner;
  for (const campaign of model.campaigns) {
    const { id, terms } = campaign;
    const counts = {
      completedRedemptionsCount: model.completed(campaign).length,
      reservedRedemptionsCount: model.live(campaign).length,
    };
    expect(
      await readCampaign({ organizationId, campaignId: id }, partner.dependencies),
    ).toMatchObject({
      ...terms,
      ...counts,
      expiresAt: terms.expiresAt?.toISOString() ?? null,
    });
  }
  for (const { id, isActive } of model.links) {
    const completedRedemptionsCount = model.redemptions.filter(({ link }) => link.id === id).length;
    expect(await readLink({ organizationId, linkId: id }, partner.dependencies)).toMatchObject({
      isActive,
      completedRedemptionsCount,
    });
  }
  for (const redemption of model.redemptions) {
    expect(
      await readRedemption({ organizationId, redemptionId: redemption.id }, { database }),
    ).toMatchObject({
      ...{
        campaignId: redemption.link.campaign.id,
        linkId: redemption.link.id,
        sponsoredOrganizationId: redemption.workspaceId,
        redeemedAt: iso(redemption.redeemedAt),
      },
      ...{
        durationMonths: redemption.terms.durationMonths,
        includedSeats: redemption.terms.includedSeats,
      },
      ...{
        sponsoredUntil: iso(redemption.until),
        extendedUntil: redemption.isExtended ? iso(redemption.until) : null,
      },
      ...{
        billingStatus: redemption.status,
        billingAmount: redemption.amount,
        billedAt: iso(redemption.billedAt),
        billingBatchId: redemption.batch,
      },
    });
    expect(
      await database.prisma.organization.findUnique({
        where: { id: redemption.workspaceId },
        select: {
          sponsoredUntil: true,
          seatLimit: true,
          memberships: { select: { userId: true, role: true } },
        },
      }),
    ).toEqual({
      sponsoredUntil: new Date(redemption.until),
      seatLimit: redemption.terms.includedSeats,
      memberships: [{ userId: personOf(people, redemption.person), role: 'ADMIN' }],
    });
    expect(
      await database.prisma.billingChange.count({ where: { redemptionId: redemption.id } }),
    ).toBe(redemption.changes);
  }
  const rows = await database.prisma.redemption.count({
    where: { campaignId: { in: model.campaigns.map(({ id }) => id) } },
  });
  expect(rows).toBe(model.redemptions.length);
}

describe('campaigns, links and redemptions', () => {
  const seed = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

  it.each(Array.from({ length: chunks }, (_, chunk) => seed + chunk))(
    'Campaigns, links and redemptions behave as the model for random sequences of operations (FC_SEED=%d)',
    { timeout: 120_000 },
    async (seedOfChunk) => {
      process.stderr.write(`the model of redemptions runs with seed ${seedOfChunk}\n`);
      const property = fc.asyncProperty(redemptionSteps, async (script) => {
        const model = new RedemptionModel(partner.dependencies.clock().getTime());
        for (const { run } of script) await run({ model, partner, people, outcomeOf });
        await expectEqualState(model);
      });
      await fc.assert(property, { numRuns: sequences / chunks, seed: seedOfChunk });
      expect(await findWrongCounters({ database })).toEqual([]);
    },
  );

  it('The random sequences of operations reach every outcome', () => {
    const refusals = [
      'LINK_INACTIVE',
      'CAMPAIGN_INACTIVE',
      'CAMPAIGN_EXPIRED',
      'CAMPAIGN_EXHAUSTED',
      'EMAIL_NOT_ALLOWED',
      'ALREADY_REDEEMED',
    ];
    expect([...reachedOutcomes]).toEqual(
      expect.arrayContaining([...refusals, 'NOT_FOUND', 'SPONSORSHIP_END_TOO_EARLY', 'done']),
    );
  });
});
