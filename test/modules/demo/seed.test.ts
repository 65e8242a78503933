import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Campaign, Link, Redemption } from '../../../src/client/documented-calls.ts';
import { seed } from '../../../src/modules/demo/seed.ts';
import { answerOf, dataOf } from '../../support/answers.ts';
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

describe.each(['partner', 'rival'])('%s', (slug) => {
  const read = (path: string) =>
    app.callerWith(keys[slug] ?? '')('GET', `/api/sponsorship/v1${path}`);
  const campaigns = async () => answerOf('listCampaigns', await read('/campaigns')).campaigns;

  it('The seed creates a campaign in each state', async () => {
    const all = await campaigns();
    const some = (is: (campaign: Campaign) => boolean) => expect(all.some(is)).toBe(true);
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
    const links: Link[] = [];
    for (const { id } of await campaigns())
      links.push(...answerOf('listLinks', await read(`/campaigns/${id}/links`)).links);
    expect(new Set(links.map(({ hasPassword }) => hasPassword))).toEqual(new Set([true, false]));
    expect(new Set(links.map(({ isActive }) => isActive))).toEqual(new Set([true, false]));
  });

  it('The seed creates redemptions in each billing status, with and without an extension, in each of the last twelve months', async () => {
    const redemptions: Redemption[] = [];
    for (const { id } of await campaigns()) {
      const answer = await read(`/campaigns/${id}/redemptions`);
      redemptions.push(...answerOf('listRedemptions', answer).redemptions);
    }
    expect(new Set(redemptions.map((redemption) => redemption.billingStatus))).toEqual(
      new Set(['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED']),
    );
    expect(new Set(redemptions.map((redemption) => redemption['extendedUntil'] === null))).toEqual(
      new Set([true, false]),
    );
    expect(new Set(redemptions.map((redemption) => redemption.redeemedAt.slice(0, 7))).size).toBe(
      12,
    );
    expect(new Set(redemptions.map((redemption) => redemption.userEmail)).size).toBe(
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

const visibleAssistants = z.object({
  assistants: z.object({
    nodes: z.array(z.object({ name: z.string(), myLevel: z.string() })),
  }),
});

it('Every organization has two assistants; an editor may change the first, a viewer may run it, and an outsider does not see it', async () => {
  expect(workspaces.map(({ slug }) => slug)).toEqual(['partner', 'rival', 'plain']);
  for (const { assistants, users } of workspaces) {
    const levels = await Promise.all(
      users.map(async ({ role, userKey }) => {
        const result = await app.graph(userKey, '{ assistants { nodes { id name myLevel } } }');
        const visible = dataOf(visibleAssistants, result).assistants.nodes;
        return [role, Object.fromEntries(visible.map(({ name, myLevel }) => [name, myLevel]))];
      }),
    );
    expect(Object.fromEntries(levels)).toEqual({
      admin: { Handbook: 'OWNER', Drafts: 'VIEW' },
      editor: { Handbook: 'EDIT', Drafts: 'OWNER' },
      viewer: { Handbook: 'VIEW' },
      outsider: {},
    });
    const answer = await app.callerWith(users[0]?.userKey ?? '')('GET', '/api/assistants/v1');
    const listed = answerOf('listAssistants', answer).assistants;
    expect(listed.map(({ id }) => id).toSorted()).toEqual(
      assistants.map(({ id }) => id).toSorted(),
    );
  }
});

const assistantsWithFiles = z.object({
  assistants: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        files: z.object({ nodes: z.array(z.object({ originalName: z.string() })) }),
      }),
    ),
  }),
});

it('Only the first assistant of an organization with files has the handbook', async () => {
  for (const { assistants, users, features } of workspaces) {
    const result = await app.graph(
      users[0]?.userKey ?? '',
      '{ assistants { nodes { id files { nodes { originalName size } } } } }',
    );
    if (!features.includes('assistantFiles')) {
      expect(result.errors[0]?.extensions?.code).toBe('FEATURE_DISABLED');
      continue;
    }
    const named = dataOf(assistantsWithFiles, result).assistants.nodes.map(({ id, files }) => [
      id,
      files.nodes.map(({ originalName }) => originalName).toSorted(),
    ]);
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
