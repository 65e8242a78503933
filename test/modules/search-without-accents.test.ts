import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf } from '../support/assistants.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';
import { redeemMany } from '../support/redeem-many.ts';
import { signIn, type TestSession } from '../support/sign-in.ts';

/** One name has the accents, the other one has none; each search finds both. */
const names = ['Müller Straße', 'MULLER STRASSE'];

let app: TestApp;
let partner: TestPartner;
let session: TestSession;
let assistantId: string;
let campaignId: string;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' });
  partner = await partnerIn(app);
  session = await signIn(app, partner.administratorId);
  const { prisma } = app.database;
  const { key } = await partner.userKey(partner.administratorId);
  const graph = (query: string, variables?: Record<string, unknown>) =>
    app.graph(key, query, variables);
  for (const [index, name] of names.entries()) {
    const member = await partner.member(`member${index}@accents.example`, { firstName: name });
    assistantId = await assistantOf({ graph }, { name });
    const campaign = await partner.campaign({ name });
    campaignId = campaign.id;
    const ofOrganization = { organizationId: partner.id };
    await prisma.conversation.create({
      data: {
        ...{ id: `conversation-${index}`, ...ofOrganization, assistantId, title: name },
        ...{ userId: partner.administratorId, createdAt: new Date(), updatedAt: new Date() },
      },
    });
    await partner.manage('POST', '/teams', { name: `${name} ${index}` });
    expect(member.id).not.toBe('');
  }
  const base = { organizationId: partner.id, assistantId, mimeType: 'text/plain', size: 1 };
  await prisma.assistantFile.createMany({
    data: names.map((originalName, index) => ({
      ...{ ...base, id: `file-${index}`, originalName, hash: 'a'.repeat(64) },
      ...{ storageKey: `key-${index}`, status: 'COMPLETED' as const },
    })),
  });
  for (const name of names) await partner.link(campaignId, { name });
  const [link] = await prisma.link.findMany({ where: { campaignId } });
  await redeemMany(app, link?.id ?? '', names);
});
afterAll(() => app.close());

type Lists = Record<string, { totalCount: number; nodes: unknown[] }>;

it.each(['müller', 'Muller', 'MÜLLER STRASSE', 'muller straße', 'stra\u00dfe', 'u\u0308ller'])(
  'Every list finds names with and without accents by %s',
  async (search) => {
    const { data, errors } = await session.graph<Lists>(
      `query ($search: String!, $assistantId: ID!, $campaignId: ID!) {
        assistants(search: $search) { totalCount nodes { id } }
        users(search: $search) { totalCount nodes { id } }
        teams(search: $search) { totalCount nodes { id } }
        campaigns(search: $search) { totalCount nodes { id } }
        links(campaignId: $campaignId, search: $search) { totalCount nodes { id } }
        redemptions(search: $search) { totalCount nodes { id } }
        conversations(search: $search) { totalCount nodes { id } }
        assistantFiles(assistantId: $assistantId, search: $search) { totalCount nodes { id } } }`,
      { search, assistantId, campaignId },
    );
    expect(errors).toEqual([]);
    const counts = Object.entries(data ?? {}).map(([list, { totalCount, nodes }]) => [
      list,
      totalCount,
      nodes.length,
    ]);
    expect(counts).toEqual(Object.keys(data ?? {}).map((list) => [list, 2, 2]));
  },
);

it('The calls of REST find people with and without accents too', async () => {
  for (const search of ['muller', 'Müller']) {
    const answer = await partner.manage('GET', `/users?search=${encodeURIComponent(search)}`);
    expect(Object(answer.body)['users']).toHaveLength(2);
  }
});

it('What looks like a wildcard finds only itself', async () => {
  for (const search of ['%', '_', 'm_ller', 'm%r', '%\u0301']) {
    const { data } = await session.graph<Lists>(
      `query ($search: String!) { assistants(search: $search) { totalCount nodes { id } } }`,
      { search },
    );
    expect(data?.['assistants']?.totalCount).toBe(0);
  }
});
