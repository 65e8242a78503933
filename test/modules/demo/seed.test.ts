import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../src/modules/demo/seed.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
let keys: Record<string, string>;
let workspaces: Awaited<ReturnType<typeof seed>>['organizations'];
const now = new Date('2026-03-31T10:00:00.000Z');
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' }, { clock: () => now });
  const { organizations } = await seed({
    database: app.database,
    clock: () => now,
    files: app.contextParts.files,
  });
  workspaces = organizations;
  keys = Object.fromEntries(
    organizations.map(({ slug, organizationKey }) => [slug, organizationKey]),
  );
});
afterAll(() => app.close());

type CampaignFields = Record<string, unknown> & {
  id: string;
  name: string;
  allowedEmailDomains: string[];
  allowedEmails: string[];
  maxRedemptions: number | null;
  completedRedemptionsCount: number;
};

describe.each(['partner', 'rival'])('%s', (slug) => {
  const read = async (path: string) => {
    const { status, body } = await app.callerWith(keys[slug] ?? '')(
      'GET',
      `/api/sponsorship/v1${path}`,
    );
    expect(status).toBe(200);
    return body;
  };
  const campaigns = async () => (await read('/campaigns'))['campaigns'] as CampaignFields[];

  it('The seed creates a campaign in each state', async () => {
    const all = await campaigns();
    const some = (is: (campaign: CampaignFields) => boolean) => expect(all.some(is)).toBe(true);
    some(({ isActive, maxRedemptions }) => isActive === true && maxRedemptions === null);
    some(({ isActive }) => isActive === false);
    some(({ expiresAt }) => typeof expiresAt === 'string' && expiresAt < now.toISOString());
    some(
      ({ maxRedemptions, completedRedemptionsCount }) =>
        maxRedemptions === completedRedemptionsCount,
    );
    some(
      ({ maxRedemptions, completedRedemptionsCount }) =>
        maxRedemptions !== null && completedRedemptionsCount < maxRedemptions,
    );
    some(({ allowedEmailDomains }) => allowedEmailDomains.length > 0);
    some(({ allowedEmails }) => allowedEmails.length > 0);
    some(({ pricing }) => pricing === null);
    some(({ pricing }) => pricing !== null);
    expect(all.every(({ reservedRedemptionsCount }) => reservedRedemptionsCount === 0)).toBe(true);
  });

  it('The seed creates links with and without a password, and a disabled one', async () => {
    const links: Record<string, unknown>[] = [];
    for (const { id } of await campaigns())
      links.push(...((await read(`/campaigns/${id}/links`))['links'] as Record<string, unknown>[]));
    expect(new Set(links.map((link) => link['hasPassword']))).toEqual(new Set([true, false]));
    expect(new Set(links.map((link) => link['isActive']))).toEqual(new Set([true, false]));
  });

  it('The seed creates redemptions in each billing status, with and without an extension, in each of the last twelve months', async () => {
    const redemptions: Record<string, unknown>[] = [];
    for (const { id } of await campaigns())
      redemptions.push(
        ...((await read(`/campaigns/${id}/redemptions`))['redemptions'] as Record<
          string,
          unknown
        >[]),
      );
    expect(new Set(redemptions.map((redemption) => redemption['billingStatus']))).toEqual(
      new Set(['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED']),
    );
    expect(new Set(redemptions.map((redemption) => redemption['extendedUntil'] === null))).toEqual(
      new Set([true, false]),
    );
    expect(
      new Set(redemptions.map((redemption) => String(redemption['redeemedAt']).slice(0, 7))).size,
    ).toBe(12);
    expect(new Set(redemptions.map((redemption) => redemption['userEmail'])).size).toBe(
      redemptions.length,
    );
  });
});

it('Each redemption of the seed has a workspace that ends with its sponsorship', async () => {
  const rows = await app.database.prisma.redemption.findMany({
    include: { sponsoredOrganization: { include: { memberships: true } } },
  });
  expect(rows.length).toBeGreaterThan(30);
  for (const { sponsoredUntil, includedSeats, userId, sponsoredOrganization } of rows) {
    expect(sponsoredOrganization).toMatchObject({
      sponsoredUntil,
      seatLimit: includedSeats,
      memberships: [{ userId, role: 'ADMIN' }],
    });
  }
});

it('An organization without features has no campaign', async () => {
  expect(
    (await app.callerWith(keys['plain'] ?? '')('GET', '/api/sponsorship/v1/campaigns')).status,
  ).toBe(403);
});

it('Every organization has two assistants; an editor may change the first, a viewer may run it, and an outsider does not see it', async () => {
  expect(workspaces.map(({ slug }) => slug)).toEqual(['partner', 'rival', 'plain']);
  for (const { assistants, users } of workspaces) {
    const levels = await Promise.all(
      users.map(async ({ role, userKey }) => {
        const { data } = await app.graph(userKey, '{ assistants { id name myLevel } }');
        const visibleAssistants = Object(data)['assistants'] as { name: string; myLevel: string }[];
        return [
          role,
          Object.fromEntries(visibleAssistants.map(({ name, myLevel }) => [name, myLevel])),
        ];
      }),
    );
    expect(Object.fromEntries(levels)).toEqual({
      admin: { Handbook: 'OWNER', Drafts: 'VIEW' },
      editor: { Handbook: 'EDIT', Drafts: 'OWNER' },
      viewer: { Handbook: 'VIEW' },
      outsider: {},
    });
    const { body } = await app.callerWith(users[0]?.userKey ?? '')('GET', '/api/assistants/v1');
    expect((body['assistants'] as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(
      assistants.map(({ id }) => id).toSorted(),
    );
  }
});

it('Only the first assistant of an organization with files has the handbook', async () => {
  for (const { assistants, users, features } of workspaces) {
    const { data, errors } = await app.graph(
      users[0]?.userKey ?? '',
      '{ assistants { id files { originalName size } } }',
    );
    if (!features.includes('assistantFiles')) {
      expect(errors[0]?.extensions?.code).toBe('FEATURE_DISABLED');
      continue;
    }
    const named = (
      Object(data)['assistants'] as { id: string; files: { originalName: string }[] }[]
    ).map(({ id, files }) => [id, files.map(({ originalName }) => originalName).toSorted()]);
    expect(Object.fromEntries(named)).toEqual({
      [assistants[0]?.id ?? '']: [
        'employee-handbook.docx',
        'it-guide.md',
        'price-list.csv',
        'travel-policy.pdf',
      ],
      [assistants[1]?.id ?? '']: [],
    });
  }
});
