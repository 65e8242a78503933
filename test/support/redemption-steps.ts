import fc from 'fast-check';
import { expect } from 'vitest';
import { updateLink } from '../../src/modules/sponsorship/links/update-link.ts';
import { extendRedemption } from '../../src/modules/sponsorship/redemptions/extend-redemption.ts';
import { setRedemptionBilling } from '../../src/modules/sponsorship/redemptions/set-redemption-billing.ts';
import type { RedemptionModel } from './redemption-model.ts';
import { minutes, type Partner } from './redemptions.ts';

export type EngineScene = {
  model: RedemptionModel;
  partner: Partner;
  people: string[];
  /** The result of the engine, or the reason or code of its error. */
  outcomeOf: <T>(work: Promise<T>) => Promise<T | string>;
};

/** A call to the engine and to the model; both must have the same result. */
type EngineStep = { name: string; run: (scene: EngineScene) => Promise<unknown> };

const stepsMax = 30;

export const personOf = (people: string[], index: number): string =>
  people[index % people.length] ?? '';
const pick = fc.nat({ max: 1_000 });
const rarely = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: pick },
);
const itemAt = <T>(items: readonly T[], index: number): T | undefined =>
  items[index % Math.max(1, items.length)];
const timeOf = (model: RedemptionModel, minute: number | null) =>
  minute === null ? null : new Date(model.now + minutes(minute));

const terms = {
  durationMonths: fc.integer({ min: 1, max: 6 }),
  includedSeats: fc.option(fc.integer({ min: 1, max: 1000 })),
  maxRedemptions: fc.option(fc.integer({ min: 1, max: 3 })),
  expiresInMinutes: fc.option(fc.integer({ min: -20, max: 90 }), { freq: 2 }),
  allowedEmailDomains: fc.constantFrom<string[]>([], [], [], ['people.example'], ['else.example']),
};

const createCampaign = fc.record(terms).map(
  ({ expiresInMinutes, ...campaignTerms }): EngineStep => ({
    name: `create ${JSON.stringify({ ...campaignTerms, expiresInMinutes })}`,
    async run({ model, partner }) {
      const expiresAt = timeOf(model, expiresInMinutes);
      const { id } = await partner.campaign({ ...campaignTerms, expiresAt });
      const campaign = { id, terms: { ...campaignTerms, expiresAt, isActive: true } };
      const link = await partner.link(id);
      model.campaigns.push(campaign);
      model.links.push({ id: link.id, token: link.token, campaign, isActive: true });
    },
  }),
);

const patchCampaign = fc
  .tuple(pick, fc.record({ ...terms, isActive: fc.boolean() }, { requiredKeys: [] }))
  .map(
    ([index, { expiresInMinutes, ...campaignTerms }]): EngineStep => ({
      name: `patch campaign ${index} ${JSON.stringify({ ...campaignTerms, expiresInMinutes })}`,
      async run({ model, partner }) {
        const campaign = itemAt(model.campaigns, index);
        if (!campaign) return;
        const changed = {
          ...campaignTerms,
          ...(expiresInMinutes === undefined ? {} : { expiresAt: timeOf(model, expiresInMinutes) }),
        };
        await partner.change(campaign.id, changed);
        campaign.terms = { ...campaign.terms, ...changed };
      },
    }),
  );

const addLink = pick.map(
  (index): EngineStep => ({
    name: `add a link to campaign ${index}`,
    async run({ model, partner }) {
      const campaign = itemAt(model.campaigns, index);
      if (!campaign) return;
      const { id, token } = await partner.link(campaign.id);
      model.links.push({ id, token, campaign, isActive: true });
    },
  }),
);

const patchLink = fc.tuple(pick, fc.boolean()).map(
  ([index, isActive]): EngineStep => ({
    name: `patch link ${index} ${isActive}`,
    async run({ model, partner }) {
      const link = itemAt(model.links, index);
      if (!link) return;
      await updateLink({ linkId: link.id, isActive }, partner.writer);
      link.isActive = isActive;
    },
  }),
);

const reserve = fc.tuple(pick, fc.option(pick), rarely).map(
  ([index, person, before]): EngineStep => ({
    name: `reserve at link ${index} for ${person} in place of ${before}`,
    async run({ model, partner, people, outcomeOf }) {
      const link = itemAt(model.links, index);
      if (!link) return;
      const previous = (before !== null && itemAt(model.reservations, before)) || null;
      const account = person === null ? null : person % people.length;
      const expected = model.reserveRejection(link, account, previous);
      const outcome = await outcomeOf(
        partner.reserve(link.token, {
          userId: person === null ? null : personOf(people, person),
          reservation: previous?.token ?? null,
        }),
      );
      if (typeof outcome === 'string' || expected !== null) return expect(outcome).toBe(expected);
      const reserved = { token: outcome.reservation, endsAt: outcome.expiresAt.getTime() };
      const endsAt = model.keptUntil(link, account, previous);
      if (endsAt !== null)
        return expect(reserved).toEqual({ token: previous?.token ?? expect.any(String), endsAt });
      expect(reserved.endsAt).toBe(model.reserve(link, account, previous, reserved.token).endsAt);
    },
  }),
);

const complete = fc.tuple(pick, pick, rarely).map(
  ([index, person, otherLink]): EngineStep => ({
    name: `complete reservation ${index} for ${person} at link ${otherLink ?? 'of its own'}`,
    async run({ model, partner, people, outcomeOf }) {
      const reservation = itemAt(model.reservations, index);
      if (!reservation) return;
      const link = (otherLink !== null && itemAt(model.links, otherLink)) || reservation.link;
      const expected = model.completeRejection(link, reservation, person % people.length);
      const outcome = await outcomeOf(
        partner.complete(link.token, reservation.token, personOf(people, person)),
      );
      if (expected === 'ALREADY_REDEEMED') reservation.isActiveReservation = false;
      if (typeof outcome === 'string' || typeof expected === 'string')
        return expect(outcome).toBe(expected);
      const { redemptionId: id, organizationId: workspaceId } = outcome;
      const redemption =
        expected ?? model.complete(link, reservation, person % people.length, { id, workspaceId });
      expect(outcome).toEqual({
        redemptionId: redemption.id,
        organizationId: redemption.workspaceId,
        sponsoredUntil: new Date(redemption.until),
      });
    },
  }),
);

const abandon = pick.map(
  (index): EngineStep => ({
    name: `abandon reservation ${index}`,
    async run({ model, partner }) {
      const reservation = itemAt(model.reservations, index);
      if (!reservation) return;
      await partner.release(reservation.token);
      reservation.isActiveReservation = false;
    },
  }),
);

const extend = fc.tuple(pick, fc.constantFrom(-1, 0, 1, 40)).map(
  ([index, days]): EngineStep => ({
    name: `extend redemption ${index} by ${days} days`,
    async run({ model, partner, outcomeOf }) {
      const redemption = itemAt(model.redemptions, index);
      if (!redemption) return;
      const until = redemption.until + days * minutes(24 * 60);
      const outcome = await outcomeOf(
        extendRedemption(
          { redemptionId: redemption.id, newSponsoredUntil: new Date(until) },
          partner.writer,
        ),
      );
      if (days <= 0) return expect(outcome).toBe('SPONSORSHIP_END_TOO_EARLY');
      expect(outcome).toHaveProperty('id', redemption.id);
      [redemption.until, redemption.isExtended] = [until, true];
    },
  }),
);

const bill = fc
  .tuple(
    pick,
    fc.constantFrom('UNBILLED' as const, 'BILLED' as const, 'DISPUTED' as const, 'WAIVED' as const),
    fc.option(fc.integer({ min: 0, max: 9_999 }), { nil: undefined }),
    fc.option(fc.constantFrom('batch-1', 'batch-2'), { nil: undefined }),
  )
  .map(
    ([index, status, amount, batch]): EngineStep => ({
      name: `bill redemption ${index} ${status} ${amount} ${batch}`,
      async run({ model, partner }) {
        const redemption = itemAt(model.redemptions, index);
        if (!redemption) return;
        const request = { redemptionId: redemption.id, billingStatus: status };
        const details = {
          ...(amount === undefined ? {} : { billingAmount: amount }),
          ...(batch === undefined ? {} : { billingBatchId: batch }),
        };
        await setRedemptionBilling({ ...request, ...details }, partner.writer);
        model.bill(redemption, { status, amount, batch });
      },
    }),
  );

const passTime = fc.constantFrom(1, 14, 29, 30, 31).map(
  (count): EngineStep => ({
    name: `${count} minutes pass`,
    async run({ model, partner }) {
      partner.passTime(minutes(count));
      model.now = partner.dependencies.clock().getTime();
    },
  }),
);

const step = fc.oneof(
  { weight: 1, arbitrary: createCampaign },
  { weight: 3, arbitrary: patchCampaign },
  { weight: 1, arbitrary: addLink },
  { weight: 1, arbitrary: patchLink },
  { weight: 7, arbitrary: reserve },
  { weight: 7, arbitrary: complete },
  { weight: 2, arbitrary: abandon },
  { weight: 1, arbitrary: extend },
  { weight: 2, arbitrary: bill },
  { weight: 3, arbitrary: passTime },
);
export const redemptionSteps = fc
  .tuple(createCampaign, fc.array(step, { minLength: 5, maxLength: stepsMax, size: 'max' }))
  // A counterexample is printed as the names of its steps.
  .map(([first, others]) =>
    [first, ...others].map((item) => ({ ...item, [fc.toStringMethod]: () => item.name })),
  );
