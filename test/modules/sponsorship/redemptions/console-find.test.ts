import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataOf } from '../../../support/answers.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { partnerIn, type TestPartner } from '../../../support/partner.ts';
import { redeemMany } from '../../../support/redeem-many.ts';

let app: TestApp;
let partner: TestPartner;
let spring: { id: string };
let autumn: { id: string };
const ids: Record<string, string> = {};
const emails: Record<string, string> = {};
const now = new Date('2026-05-15T10:00:00.000Z');

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { clock: () => now });
  partner = await partnerIn(app);
  spring = await partner.campaign({ name: 'Spring', durationMonths: 1 });
  autumn = await partner.campaign({ name: 'Autumn', durationMonths: 6 });
  const [springLink, autumnLink] = [await partner.link(spring.id), await partner.link(autumn.id)];
  for (const [name, link, at] of [
    ['Acme 100%', springLink, '2026-01-01T00:00:00.000Z'],
    ['Bolt_works', autumnLink, '2026-02-01T00:00:00.000Z'],
    ['acme Süd', autumnLink, '2026-03-01T00:00:00.000Z'],
    ['Delta', springLink, '2026-05-01T00:00:00.000Z'],
  ] as const) {
    const redemption = await partner.redeem(link, {
      organizationName: name,
      at: () => new Date(at),
    });
    [ids[name], emails[name]] = [redemption.id, redemption.email];
  }
  await partner.sponsor('PATCH', `/redemptions/${ids['Delta']}/billing`, {
    billingStatus: 'DISPUTED',
  });
  const rival = await partnerIn(app);
  await rival.redeem(await rival.link((await rival.campaign()).id), {
    organizationName: 'Acme of others',
  });
});
afterAll(async () => {
  await app.close();
});

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ redemptions: z.object({ totalCount: z.int(), nodes: z.array(item) }) });
const namedRedemptions = pageOf(z.object({ organizationName: z.string() }));
const identifiedRedemptions = z.object({
  redemptions: z.object({
    nodes: z.array(z.object({ id: z.string() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string() }),
  }),
});

async function findRedemptions(args: string): Promise<{ names: string[]; total: number }> {
  const result = await app.graph(
    partner.key,
    `{ redemptions(${args}) { totalCount nodes { organizationName campaignName userEmail linkName } } }`,
  );
  const { nodes, totalCount } = dataOf(namedRedemptions, result).redemptions;
  return { names: nodes.map(({ organizationName }) => organizationName), total: totalCount };
}

describe('the redemptions of all campaigns', () => {
  it('The redemptions of all campaigns are listed newest first, with the correct total', async () => {
    expect(await findRedemptions('pageSize: 3')).toEqual({
      names: ['Delta', 'acme Süd', 'Bolt_works'],
      total: 4,
    });
    expect(await findRedemptions('pageSize: 3, page: 2')).toEqual({
      names: ['Acme 100%'],
      total: 4,
    });
    expect(await findRedemptions('pageSize: 3, page: 9')).toEqual({ names: [], total: 4 });
  });

  it('The redemptions can be listed in the order of their end', async () => {
    expect(
      (await findRedemptions('pageSize: 9, orderBy: { field: SPONSORED_UNTIL, direction: ASC }'))
        .names,
    ).toEqual(['Acme 100%', 'Delta', 'Bolt_works', 'acme Süd']);
  });

  it('Redemptions can be filtered by campaign, link, billing status and end, and the total counts the matches', async () => {
    expect(
      await findRedemptions(
        `campaignId: "${autumn.id}", orderBy: { field: SPONSORED_UNTIL, direction: ASC }`,
      ),
    ).toEqual({
      names: ['Bolt_works', 'acme Süd'],
      total: 2,
    });
    const { linkId } = await app.database.prisma.redemption.findUniqueOrThrow({
      where: { id: ids['Delta'] ?? '' },
    });
    expect(await findRedemptions(`linkId: "${linkId}"`)).toEqual({
      names: ['Delta', 'Acme 100%'],
      total: 2,
    });
    expect(await findRedemptions(`campaignId: "${autumn.id}", linkId: "${linkId}"`)).toEqual({
      names: [],
      total: 0,
    });
    expect(await findRedemptions('billingStatus: DISPUTED')).toEqual({
      names: ['Delta'],
      total: 1,
    });
    expect(await findRedemptions('billingStatus: WAIVED')).toEqual({ names: [], total: 0 });
    expect(
      await findRedemptions(
        `campaignId: "${spring.id}", billingStatus: UNBILLED, orderBy: { field: SPONSORED_UNTIL, direction: ASC }`,
      ),
    ).toEqual({ names: ['Acme 100%'], total: 1 });
    // Acme ended on 1 February, Delta ends on 1 June, and the others end in August and September.
    expect(await findRedemptions('endsBefore: "2026-05-15T10:00:00Z"')).toEqual({
      names: ['Acme 100%'],
      total: 1,
    });
    expect(
      await findRedemptions('endsFrom: "2026-06-01T00:00:00Z", endsBefore: "2026-09-01T00:00:00Z"'),
    ).toEqual({ names: ['Delta', 'Bolt_works'], total: 2 });
  });

  it('A search finds redemptions by a part of the workspace’s name or the address, regardless of case, but not by names that a partner cannot see', async () => {
    expect(await findRedemptions('search: "ACME"')).toEqual({
      names: ['acme Süd', 'Acme 100%'],
      total: 2,
    });
    expect(await findRedemptions('search: "SÜD"')).toEqual({ names: ['acme Süd'], total: 1 });
    expect(await findRedemptions('search: "0%"')).toEqual({ names: ['Acme 100%'], total: 1 });
    expect(await findRedemptions('search: "t_w"')).toEqual({ names: ['Bolt_works'], total: 1 });
    expect(await findRedemptions('search: "a_m"')).toEqual({ names: [], total: 0 });
    expect(await findRedemptions(`search: "${emails['Delta']?.toUpperCase()}"`)).toEqual({
      names: ['Delta'],
      total: 1,
    });
    expect(await findRedemptions('search: "redeem.example"')).toMatchObject({ total: 4 });
    // Every person in this test has the name Re Deemer.
    expect(await findRedemptions('search: "Deemer"')).toMatchObject({ total: 4 });
    expect(await findRedemptions('search: "Re Deemer"')).toEqual({ names: [], total: 0 });
    expect(await findRedemptions(`campaignId: "${spring.id}", search: "acme"`)).toEqual({
      names: ['Acme 100%'],
      total: 1,
    });
  });

  it('A client that pages with `after` gets each redemption once, even if others are added in the meantime', async () => {
    const otherPartner = await partnerIn(app);
    const link = await otherPartner.link((await otherPartner.campaign()).id);
    for (let index = 0; index < 5; index += 1) await otherPartner.redeem(link);
    const query =
      'query ($after: String) { redemptions(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }';
    const before = await app.database.prisma.redemption.findMany({
      where: { organizationId: otherPartner.id },
      orderBy: [{ redeemedAt: 'desc' }, { id: 'desc' }],
    });
    const listedIds: string[] = [];
    for (let after: string | null = null; ; ) {
      const result = await app.graph(otherPartner.key, query, { after });
      const { nodes, pageInfo } = dataOf(identifiedRedemptions, result).redemptions;
      listedIds.push(...nodes.map(({ id }) => id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
      await otherPartner.redeem(link, { at: () => new Date(now.getTime() + listedIds.length) });
    }
    expect(listedIds).toEqual(before.map(({ id }) => id));
  });

  it('A campaign of another partner is not found, with any combination of arguments', async () => {
    const rival = await partnerIn(app);
    const { id } = await rival.campaign();
    for (const args of [
      '',
      ', search: "a"',
      ', orderBy: { field: SPONSORED_UNTIL, direction: ASC }',
    ]) {
      const { errors } = await app.graph(
        partner.key,
        `{ redemptions(campaignId: "${id}"${args}) { totalCount } }`,
      );
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
  });

  it('A search for a text that more than a thousand redemptions match finds and counts all of them', async () => {
    const largePartner = await partnerIn(app);
    const link = await largePartner.link((await largePartner.campaign({ name: 'Crowd' })).id);
    await redeemMany(
      app,
      link.id,
      Array.from(
        { length: 1_050 },
        (_, index) => `Crowd ${index % 7 === 0 ? 'of_seven' : 'of seven'} ${index}`,
      ),
    );
    const total = async (search: string, key = largePartner.key) => {
      const result = await app.graph(
        key,
        'query ($search: String!) { redemptions(search: $search, pageSize: 3) { totalCount nodes { organizationName } } }',
        { search },
      );
      const { nodes, totalCount: matchCount } = dataOf(namedRedemptions, result).redemptions;
      expect(nodes).toHaveLength(Math.min(3, matchCount));
      return matchCount;
    };
    expect(await total('CROWD')).toBe(1_050);
    expect(await total('redeem.example')).toBe(1_050);
    expect(await total('of_seven')).toBe(150);
    // The same texts match few or no redemptions of another partner.
    expect(await total('crowd', partner.key)).toBe(0);
    expect(await total('redeem.example', partner.key)).toBe(4);
  });
});
