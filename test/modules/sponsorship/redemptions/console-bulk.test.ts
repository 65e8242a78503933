import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../src/modules/audit/system-actor.ts';
import { findWrongCounters } from '../../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import { extendTogether } from '../../../../src/modules/sponsorship/redemptions/extend-together.ts';
import { setBillingTogether } from '../../../../src/modules/sponsorship/redemptions/set-billing-together.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { watchStatements } from '../../../support/statements.ts';

let app: TestApp;
const now = new Date('2026-05-15T10:00:00.000Z');
const watch = watchStatements();
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { clock: () => now });
});
afterAll(async () => {
  watch.stop();
  await app.close();
});

const billMutation = /* GraphQL */ `
  mutation ($ids: [ID!]!, $status: BillingStatus!, $amount: Decimal, $batch: String) {
    setRedemptionsBilling(input: { redemptionIds: $ids, billingStatus: $status, billingAmount: $amount, billingBatchId: $batch }) { changed redemptions { id billingStatus billingBatchId } }
  }`;
const extendMutation = /* GraphQL */ `
  mutation ($ids: [ID!]!, $months: Int, $until: DateTime, $reason: String) {
    extendRedemptions(input: { redemptionIds: $ids, months: $months, newSponsoredUntil: $until, reason: $reason }) { changed }
  }`;

/** Creates a partner with this number of redemptions of one campaign. */
async function withRedemptions(count: number, at = () => now) {
  const partner = await partnerIn(app);
  const campaign = await partner.campaign({ durationMonths: 1 });
  await partner.price(campaign.id, 10);
  const link = await partner.link(campaign.id);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push((await partner.redeem(link, { organizationName: `Guest ${index}`, at })).id);
  return { partner, campaign, link, ids };
}

const runMutation = (partner: TestPartner, query: string, variables: Record<string, unknown>) =>
  app.graph(partner.key, query, variables);
const rowsOf = (partner: TestPartner) =>
  app.database.prisma.redemption.findMany({
    where: { organizationId: partner.id },
    orderBy: { id: 'asc' },
  });
const auditOf = (partner: TestPartner, action: string) =>
  app.database.prisma.auditEntry.findMany({ where: { organizationId: partner.id, action } });
const changesOf = (partner: TestPartner) =>
  app.database.prisma.billingChange.findMany({ where: { organizationId: partner.id } });

describe('billing many redemptions', () => {
  it('Billing many redemptions changes each one as the single operation does, with a history entry and an audit entry for each', async () => {
    const { partner, ids } = await withRedemptions(3);
    const [first = ''] = ids;
    await partner.sponsor('PATCH', `/redemptions/${first}/billing`, {
      billingStatus: 'BILLED',
      billingBatchId: 'earlier',
    });
    const billedAt = new Date('2026-05-01T00:00:00.000Z');
    await app.database.prisma.redemption.update({ where: { id: first }, data: { billedAt } });
    const { data } = await runMutation(partner, billMutation, {
      ids,
      status: 'BILLED',
      batch: 'May',
    });
    expect(data).toEqual({
      setRedemptionsBilling: {
        changed: 3,
        redemptions: ids.map((id) => ({ id, billingStatus: 'BILLED', billingBatchId: 'May' })),
      },
    });
    const rows = await rowsOf(partner);
    // A redemption that was already billed keeps its date (D25).
    expect(new Map(rows.map((row) => [row.id, row.billedAt]))).toEqual(
      new Map(ids.map((id) => [id, id === first ? billedAt : now])),
    );
    expect(
      rows.map((row) => [row.billingStatus, row.billingBatchId, row.billingAmount?.toNumber()]),
    ).toEqual(ids.map(() => ['BILLED', 'May', 10]));
    const history = (await changesOf(partner)).slice(1);
    expect(new Map(history.map((change) => [change.redemptionId, change.statusBefore]))).toEqual(
      new Map(ids.map((id) => [id, id === first ? 'BILLED' : 'UNBILLED'])),
    );
    expect(
      history.map((change) => [
        change.status,
        change.amount?.toNumber(),
        change.batchId,
        change.actorKeyId,
      ]),
    ).toEqual(ids.map(() => ['BILLED', 10, 'May', partner.keyId]));
    const auditEntries = (await auditOf(partner, 'set-redemption-billing')).filter(
      ({ changes }) => Object(changes).batchId === 'May',
    );
    expect(auditEntries.map(({ targetId }) => targetId).toSorted()).toEqual(ids.toSorted());
    expect(auditEntries[0]?.changes).toMatchObject({
      status: 'BILLED',
      amount: 10,
      batchId: 'May',
    });

    await runMutation(partner, billMutation, {
      ids,
      status: 'UNBILLED',
      amount: 3,
      batch: 'ignored',
    });
    expect(
      (await rowsOf(partner)).map((row) => [
        row.billingStatus,
        row.billedAt,
        row.billingBatchId,
        row.billingAmount?.toNumber(),
      ]),
    ).toEqual(ids.map(() => ['UNBILLED', null, null, 3]));
    expect(await findWrongCounters({ database: app.database })).toEqual([]);
  });

  it('If one redemption is unknown or of another partner, the error names it and none is billed', async () => {
    const { partner, ids } = await withRedemptions(2);
    const rival = await withRedemptions(1);
    for (const foreignId of ['nobody', rival.ids[0] ?? '']) {
      const { errors } = await runMutation(partner, billMutation, {
        ids: [...ids, foreignId],
        status: 'WAIVED',
      });
      expect(errors).toMatchObject([
        { message: expect.stringContaining(foreignId), extensions: { code: 'NOT_FOUND' } },
      ]);
    }
    expect((await rowsOf(partner)).map(({ billingStatus }) => billingStatus)).toEqual([
      'UNBILLED',
      'UNBILLED',
    ]);
    expect((await rowsOf(rival.partner)).map(({ billingStatus }) => billingStatus)).toEqual([
      'UNBILLED',
    ]);
    expect(await changesOf(partner)).toEqual([]);
  });

  it('Bulk billing accepts at most 500 redemptions, ignores duplicates, and changes none for an empty list', async () => {
    const { partner, ids } = await withRedemptions(1);
    const tooMany = Array.from({ length: 501 }, (_, index) => `redemption-${index}`);
    expect(
      (await runMutation(partner, billMutation, { ids: tooMany, status: 'WAIVED' })).errors,
    ).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
    expect((await runMutation(partner, billMutation, { ids: [], status: 'WAIVED' })).data).toEqual({
      setRedemptionsBilling: { changed: 0, redemptions: [] },
    });
    expect(
      (await runMutation(partner, billMutation, { ids: [...ids, ...ids], status: 'WAIVED' })).data,
    ).toMatchObject({
      setRedemptionsBilling: { changed: 1, redemptions: [{ id: ids[0], billingStatus: 'WAIVED' }] },
    });
    expect(await changesOf(partner)).toHaveLength(1);
  });

  it('Bulk operations need as many statements for six redemptions as for one', async () => {
    const [few, many] = [await withRedemptions(1), await withRedemptions(6)];
    const count = async ({ partner, ids }: typeof few, query: string, variables: object) => {
      const { result, statements } = await watch.during(() =>
        runMutation(partner, query, { ids, ...variables }),
      );
      expect(result.errors).toEqual([]);
      return statements.length;
    };
    for (const [query, variables] of [
      [billMutation, { status: 'BILLED' }],
      [billMutation, { status: 'WAIVED' }],
      [extendMutation, { months: 1 }],
    ] as const) {
      expect(await count(many, query, variables)).toBe(await count(few, query, variables));
    }
  });
});

describe('extending many redemptions', () => {
  it('Extending by months starts at the end of each sponsorship, or at the current time if it has ended', async () => {
    const ended = () => new Date('2026-01-31T10:00:00.000Z');
    const { partner, link, ids } = await withRedemptions(1, ended);
    const { id: running } = await partner.redeem(link, {
      at: () => new Date('2026-04-30T10:00:00.000Z'),
    });
    await runMutation(partner, extendMutation, {
      ids: [...ids, running],
      months: 2,
      reason: 'Goodwill',
    });
    const rows = new Map((await rowsOf(partner)).map((row) => [row.id, row]));
    // The first sponsorship ran from 30 April to 30 May, the other one until 28 February.
    expect(rows.get(running)).toMatchObject({
      sponsoredUntil: new Date('2026-07-30T10:00:00.000Z'),
      extensionReason: 'Goodwill',
    });
    expect(rows.get(ids[0] ?? '')).toMatchObject({
      sponsoredUntil: new Date('2026-07-15T10:00:00.000Z'),
      extendedUntil: new Date('2026-07-15T10:00:00.000Z'),
    });
    for (const { sponsoredOrganizationId, sponsoredUntil } of rows.values()) {
      expect(
        await app.database.prisma.organization.findUnique({
          where: { id: sponsoredOrganizationId },
        }),
      ).toMatchObject({ sponsoredUntil });
    }
    const auditEntries = await auditOf(partner, 'extend-redemption');
    expect(auditEntries.find(({ targetId }) => targetId === running)?.changes).toEqual({
      sponsoredUntil: { from: '2026-05-30T10:00:00.000Z', to: '2026-07-30T10:00:00.000Z' },
      extensionReason: 'Goodwill',
    });
    // Without a reason the previous one stays.
    await runMutation(partner, extendMutation, { ids, months: 1 });
    expect((await rowsOf(partner)).map(({ extensionReason }) => extensionReason)).toEqual([
      'Goodwill',
      'Goodwill',
    ]);
  });

  it('Extending to a date changes none if one sponsorship ends later, and the error names that one', async () => {
    const { partner, ids } = await withRedemptions(3);
    const [, second = ''] = ids;
    await partner.sponsor('PATCH', `/redemptions/${second}/extend`, {
      newSponsoredUntil: '2026-09-01T00:00:00.000Z',
    });
    const before = await rowsOf(partner);
    const { errors } = await runMutation(partner, extendMutation, {
      ids,
      until: '2026-08-01T00:00:00.000Z',
    });
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining(`Guest 1 (redemption ${second})`),
        extensions: { code: 'BAD_INPUT' },
      },
    ]);
    expect(await rowsOf(partner)).toEqual(before);
    await runMutation(partner, extendMutation, { ids, until: '2026-10-01T00:00:00.000Z' });
    expect(
      (await rowsOf(partner)).map(({ sponsoredUntil }) => sponsoredUntil.toISOString()),
    ).toEqual(ids.map(() => '2026-10-01T00:00:00.000Z'));
  });

  it('If one redemption is unknown or of another partner, none is extended', async () => {
    const { partner, ids } = await withRedemptions(2);
    const rival = await withRedemptions(1);
    const before = [await rowsOf(partner), await rowsOf(rival.partner)];
    for (const foreignId of ['nobody', rival.ids[0] ?? '']) {
      const { errors } = await runMutation(partner, extendMutation, {
        ids: [...ids, foreignId],
        months: 1,
      });
      expect(errors).toMatchObject([
        { message: expect.stringContaining(foreignId), extensions: { code: 'NOT_FOUND' } },
      ]);
    }
    expect([await rowsOf(partner), await rowsOf(rival.partner)]).toEqual(before);
  });

  it('Extending requires either months or a date, and an end before the year 10000', async () => {
    const { partner, ids } = await withRedemptions(2);
    for (const variables of [
      {},
      { months: 1, until: '2027-01-01T00:00:00.000Z' },
      { months: 61 },
      { months: null, until: '2027-01-01T00:00:00.000Z' },
    ]) {
      expect(
        (await runMutation(partner, extendMutation, { ids, ...variables })).errors,
      ).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
    }
    await runMutation(partner, extendMutation, { ids, until: '9999-06-01T00:00:00.000Z' });
    expect((await runMutation(partner, extendMutation, { ids, months: 12 })).errors).toMatchObject([
      { extensions: { code: 'BAD_INPUT' } },
    ]);
    expect(
      (await rowsOf(partner)).map(({ sponsoredUntil }) => sponsoredUntil.getUTCFullYear()),
    ).toEqual([9999, 9999]);
  });
});

describe('concurrent bulk operations', () => {
  it('Concurrent billings and extensions of the same redemptions in opposite order do not deadlock, and no change is lost', {
    timeout: 60_000,
  }, async () => {
    const { partner, ids } = await withRedemptions(8);
    const actor = systemActor(partner.id);
    const writer = {
      database: app.database,
      clock: () => now,
      actor,
      credentialsChanged: () => {},
    };
    const reversedIds = ids.toReversed();
    const rounds = Array.from({ length: 10 }, (_, index) => index);
    await Promise.all(
      rounds.flatMap((index) => [
        setBillingTogether(
          {
            redemptionIds: index % 2 ? ids : reversedIds,
            billingStatus: index % 3 ? 'BILLED' : 'DISPUTED',
            billingAmount: index,
          },
          writer,
        ),
        extendTogether({ redemptionIds: index % 2 ? reversedIds : ids, months: 1 }, writer),
      ]),
    );
    // Each extension starts at the end of the one before: ten months after 15 June.
    expect(
      (await rowsOf(partner)).map(({ sponsoredUntil }) => sponsoredUntil.toISOString()),
    ).toEqual(ids.map(() => '2027-04-15T10:00:00.000Z'));
    const history = await app.database.prisma.billingChange.findMany({
      where: { organizationId: partner.id },
      orderBy: { id: 'asc' },
    });
    expect(history).toHaveLength(rounds.length * ids.length);
    for (const id of ids) {
      const changes = history.filter(({ redemptionId }) => redemptionId === id);
      expect(changes.slice(1).map(({ statusBefore }) => statusBefore)).toEqual(
        changes.slice(0, -1).map(({ status }) => status),
      );
    }
    expect(await findWrongCounters({ database: app.database })).toEqual([]);
  });
});
