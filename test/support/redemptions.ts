import { randomUUID } from 'node:crypto';
import type { Writer } from '../../src/modules/audit/record-change.ts';
import { systemActor } from '../../src/modules/audit/system-actor.ts';
import type {
  CreateCampaignInput,
  TermChanges,
} from '../../src/modules/sponsorship/campaigns/campaign.ts';
import { createCampaign } from '../../src/modules/sponsorship/campaigns/create-campaign.ts';
import { updateCampaign } from '../../src/modules/sponsorship/campaigns/update-campaign.ts';
import { createLink } from '../../src/modules/sponsorship/links/create-link.ts';
import { updateLink } from '../../src/modules/sponsorship/links/update-link.ts';
import { completeRedemption } from '../../src/modules/sponsorship/redeeming/complete-redemption.ts';
import { previewLink } from '../../src/modules/sponsorship/redeeming/preview-link.ts';
import { RedemptionRefused } from '../../src/modules/sponsorship/redeeming/refusal.ts';
import { releaseReservation } from '../../src/modules/sponsorship/redeeming/release-reservation.ts';
import { reserveRedemption } from '../../src/modules/sponsorship/redeeming/reserve-redemption.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { AppError } from '../../src/platform/errors.ts';
import { faultOf } from './fault-of.ts';
import { rowsIn } from './rows.ts';

export const minutes = (count: number) => count * 60_000;

/**
 * A partner with campaigns and people who redeem its links, and a clock that only the test
 * advances.
 */
export async function partnerOn(database: Database) {
  let now = Date.parse('2027-01-31T10:00:00Z');
  const clock = () => new Date(now);
  const rows = rowsIn(database);
  const { id: organizationId } = await rows.organization();
  const actor = systemActor(organizationId);
  const writer: Writer = { database, clock, actor, credentialsChanged: () => {} };
  const dependencies = { database, clock };
  // Every person comes from a different network.
  let networks = 0;
  const newAddress = () => `2001:db8:${(networks++ + 1).toString(16)}::1`;

  const campaign = (terms: Partial<CreateCampaignInput> = {}) =>
    createCampaign({ name: 'Spring', durationMonths: 3, ...terms }, writer);
  const link = (campaignId: string, password: string | null = null) =>
    createLink({ campaignId, password }, writer);
  const reserve = (
    token: string,
    overrides: Partial<Parameters<typeof reserveRedemption>[0]> = {},
  ) =>
    reserveRedemption(
      { token, userId: null, passwordGrant: null, clientAddress: newAddress(), ...overrides },
      dependencies,
    );
  const complete = (
    token: string,
    reservation: string,
    userId: string,
    overrides: Partial<Parameters<typeof completeRedemption>[0]> = {},
  ) =>
    completeRedemption(
      {
        token,
        reservation,
        userId,
        organizationName: 'Workspace',
        passwordGrant: null,
        requestId: null,
        ...overrides,
      },
      dependencies,
    );

  return {
    organizationId,
    writer,
    dependencies,
    campaign,
    link,
    reserve,
    complete,
    /** Creates a campaign with a link. */
    async offer(terms: Partial<CreateCampaignInput> = {}) {
      const { id: campaignId } = await campaign(terms);
      const { id: linkId, token } = await link(campaignId);
      return { campaignId, linkId, token };
    },
    /** Reserves and completes a redemption. */
    redeem: async (token: string, userId: string) =>
      complete(token, (await reserve(token, { userId })).reservation, userId),
    switchOff: (linkId: string) => updateLink({ linkId, isActive: false }, writer),
    passTime(ms: number) {
      now += ms;
    },
    person: async (email = `${randomUUID()}@people.example`) =>
      (await database.prisma.user.create({ data: { id: randomUUID(), email } })).id,
    async people(count: number): Promise<string[]> {
      const ids = Array.from({ length: count }, () => randomUUID());
      await database.prisma.user.createMany({
        data: ids.map((id) => ({ id, email: `${id}@people.example` })),
      });
      return ids;
    },
    change: (campaignId: string, terms: TermChanges) =>
      updateCampaign({ campaignId, terms }, writer),
    look: (
      token: string,
      userId: string | null = null,
      passwordGrant: string | null = null,
      reservation: string | null = null,
    ) => previewLink({ token, userId, passwordGrant, reservation }, dependencies),
    release: (reservation: string) => releaseReservation({ reservation }, dependencies),
    /** The counters and row counts of a campaign. */
    async counters(campaignId: string) {
      const [row] = await database.sql<{
        completed: number;
        reserved: number;
        live: number;
        redemptions: number;
        workspaces: number;
      }>`
        select completed_redemptions as completed, reserved_redemptions as reserved,
          (select count(*)::int from reservations where campaign_id = c.id and expires_at > ${clock()}) as live,
          (select count(*)::int from redemptions where campaign_id = c.id) as redemptions,
          (select count(distinct sponsored_organization_id)::int from redemptions where campaign_id = c.id) as workspaces
        from campaigns c where id = ${campaignId}`;
      if (!row) throw new Error('the campaign does not exist');
      return row;
    },
  };
}

export type Partner = Awaited<ReturnType<typeof partnerOn>>;

/** The result, or the reason for which the engine rejects. */
export async function reasonOf<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RedemptionRefused) return error.reason;
    throw error;
  }
}

/** The error code with which the call is rejected. */
export async function codeOf(work: Promise<unknown>) {
  const fault = await faultOf(work);
  return fault instanceof AppError ? fault.code : fault;
}
