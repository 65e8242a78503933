import fc from 'fast-check';
import { expect } from 'vitest';
import { extendRedemption } from '../../src/modules/sponsorship/extend-redemption.ts';
import { setRedemptionBilling } from '../../src/modules/sponsorship/set-redemption-billing.ts';
import { updateLink } from '../../src/modules/sponsorship/update-link.ts';
import type { RedemptionModel } from './redemption-model.ts';
import { minutes, type Partner } from './redemptions.ts';

export type Scene = {
  model: RedemptionModel;
  partner: Partner;
  people: string[];
  /** What the engine returned, or the reason or code of its refusal. */
  outcomeOf: <T>(work: Promise<T>) => Promise<T | string>;
};

/** Something that is asked of the engine and of the model; both must answer alike. */
type Step = { name: string; run: (scene: Scene) => Promise<unknown> };

const stepsMax = 30;

export const personOf = (people: string[], index: number): string =>
  people[index % people.length] ?? '';
const pick = fc.nat({ max: 1_000 });
const seldom = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: pick },
);
const chosen = <T>(items: readonly T[], index: number): T | undefined =>
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
  ({ expiresInMinutes, ...given }): Step => ({
    name: `create ${JSON.stringify({ ...given, expiresInMinutes })}`,
    async run({ model, partner }) {
      const expiresAt = timeOf(model, expiresInMinutes);
      const { id } = await partner.campaign({ ...given, expiresAt });
      const campaign = { id, terms: { ...given, expiresAt, isActive: true } };
      const link = await partner.link(id);
      model.campaigns.push(campaign);
      model.links.push({ id: link.id, token: link.token, campaign, isActive: true });
    },
  }),
);

const patchCampaign = fc
  .tuple(pick, fc.record({ ...terms, isActive: fc.boolean() }, { requiredKeys: [] }))
  .map(
    ([index, { expiresInMinutes, ...given }]): Step => ({
      name: `patch campaign ${index} ${JSON.stringify({ ...given, expiresInMinutes })}`,
      async run({ model, partner }) {
        const campaign = chosen(model.campaigns, index);
        if (!campaign) return;
        const changed = {
          ...given,
          ...(expiresInMinutes === undefined ? {} : { expiresAt: timeOf(model, expiresInMinutes) }),
        };
        await partner.change(campaign.id, changed);
        campaign.terms = { ...campaign.terms, ...changed };
      },
    }),
  );

const addLink = pick.map(
  (index): Step => ({
    name: `add a link to campaign ${index}`,
    async run({ model, partner }) {
      const campaign = chosen(model.campaigns, index);
      if (!campaign) return;
      const { id, token } = await partner.link(campaign.id);
      model.links.push({ id, token, campaign, isActive: true });
    },
  }),
);

const patchLink = fc.tuple(pick, fc.boolean()).map(
  ([index, isActive]): Step => ({
    name: `patch link ${index} ${isActive}`,
    async run({ model, partner }) {
      const link = chosen(model.links, index);
      if (!link) return;
      await updateLink({ linkId: link.id, isActive }, partner.writer);
      link.isActive = isActive;
    },
  }),
);

const reserve = fc.tuple(pick, fc.option(pick), seldom).map(
  ([index, person, before]): Step => ({
    name: `reserve at link ${index} for ${person} in place of ${before}`,
    async run({ model, partner, people, outcomeOf }) {
      const link = chosen(model.links, index);
      if (!link) return;
      const earlier = (before !== null && chosen(model.reservations, before)) || null;
      const expected = model.whyNotReserve(
        link,
        person === null ? null : person % people.length,
        earlier,
      );
      const outcome = await outcomeOf(
        partner.reserve(link.token, {
          userId: person === null ? null : personOf(people, person),
          reservation: earlier?.token ?? null,
        }),
      );
      if (typeof outcome === 'string' || expected !== null) return expect(outcome).toBe(expected);
      const made = { token: outcome.reservation, endsAt: outcome.expiresAt.getTime() };
      if (model.onlyKeeps(link, earlier))
        return expect(made).toEqual({ token: earlier.token, endsAt: earlier.endsAt });
      expect(made.endsAt).toBe(model.reserve(link, earlier, made.token).endsAt);
    },
  }),
);

const complete = fc.tuple(pick, pick, seldom).map(
  ([index, person, otherLink]): Step => ({
    name: `complete reservation ${index} for ${person} at link ${otherLink ?? 'of its own'}`,
    async run({ model, partner, people, outcomeOf }) {
      const reservation = chosen(model.reservations, index);
      if (!reservation) return;
      const link = (otherLink !== null && chosen(model.links, otherLink)) || reservation.link;
      const expected = model.whyNotComplete(link, reservation, person % people.length);
      const outcome = await outcomeOf(
        partner.complete(link.token, reservation.token, personOf(people, person)),
      );
      if (expected === 'ALREADY_REDEEMED') reservation.isHeld = false;
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
  (index): Step => ({
    name: `abandon reservation ${index}`,
    async run({ model, partner }) {
      const reservation = chosen(model.reservations, index);
      if (!reservation) return;
      await partner.release(reservation.token);
      reservation.isHeld = false;
    },
  }),
);

const extend = fc.tuple(pick, fc.constantFrom(-1, 0, 1, 40)).map(
  ([index, days]): Step => ({
    name: `extend redemption ${index} by ${days} days`,
    async run({ model, partner, outcomeOf }) {
      const redemption = chosen(model.redemptions, index);
      if (!redemption) return;
      const until = redemption.until + days * minutes(24 * 60);
      const outcome = await outcomeOf(
        extendRedemption(
          { redemptionId: redemption.id, newSponsoredUntil: new Date(until) },
          partner.writer,
        ),
      );
      if (days <= 0) return expect(outcome).toBe('BAD_INPUT');
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
    ([index, status, amount, batch]): Step => ({
      name: `bill redemption ${index} ${status} ${amount} ${batch}`,
      async run({ model, partner }) {
        const redemption = chosen(model.redemptions, index);
        if (!redemption) return;
        const asked = { redemptionId: redemption.id, billingStatus: status };
        const more = {
          ...(amount === undefined ? {} : { billingAmount: amount }),
          ...(batch === undefined ? {} : { billingBatchId: batch }),
        };
        await setRedemptionBilling({ ...asked, ...more }, partner.writer);
        model.bill(redemption, { status, amount, batch });
      },
    }),
  );

const passTime = fc.constantFrom(1, 14, 29, 30, 31).map(
  (count): Step => ({
    name: `${count} minutes pass`,
    async run({ model, partner }) {
      partner.passTime(minutes(count));
      model.now = partner.parts.clock().getTime();
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
  // A counterexample is told by the names of its steps.
  .map(([first, others]) =>
    [first, ...others].map((one) => ({ ...one, [fc.toStringMethod]: () => one.name })),
  );
