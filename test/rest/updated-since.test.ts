import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { serverUrl } from '../support/database.ts';
import { createListWorld, type ListWorld, rowsPerList } from '../support/list-world.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';

const schedules = 150;

let app: TestApp;
let server: ServedApp;
let world: ListWorld;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '1000000', ORGANIZATION_KEY_LIMIT: '1000000' });
  server = await serveApp(app);
  world = await createListWorld(app);
});
afterAll(async () => {
  server.close();
  await app.close();
});

type Page = { ids: string[]; items: Record<string, unknown>[]; next: string | undefined };

async function read(target: string, key = world.partner.key): Promise<Page> {
  const response = await fetch(new URL(target, server.url), {
    headers: { authorization: `Bearer ${key}` },
  });
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status: 200 });
  const [items = []] = Object.values(Object(body)).filter((value) => Array.isArray(value));
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return { items, ids: items.map(({ id }: Record<string, unknown>) => String(id)), next };
}

/** A time between what has happened and what is going to happen, by the clock of the database. */
async function now(): Promise<Date> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const [row] = await app.database.sql<{ at: string }>`select clock_timestamp() as at`;
  await new Promise((resolve) => setTimeout(resolve, 5));
  return new Date(row?.at ?? '');
}

const changedIds = async (path: string, since: Date, key?: string) =>
  (await read(`${path}?updatedSince=${since.toISOString()}`, key)).ids;

type ChangedList = {
  title: string;
  path: () => string;
  key?: () => Promise<string>;
  /** Changes one entry and returns its id. */
  change: () => Promise<string>;
};

const users = '/api/user-management/v1/users';
const sponsorship = '/api/sponsorship/v1';
const second = async (path: string, key?: string) => (await read(path, key)).ids[1] ?? '';
const patch = async (path: string, body: object) => {
  const [, status] = await world.partner
    .call('PATCH', path, body)
    .then((answer) => [answer.text, answer.status] as const);
  expect(status).toBe(200);
};

const changes: ChangedList[] = [
  {
    title: 'a user whose role was changed',
    path: () => users,
    async change() {
      const id = await second(users);
      await patch(`${users}/${id}`, { role: 'ADMIN' });
      return id;
    },
  },
  {
    title: 'a user whose account has another name',
    path: () => users,
    async change() {
      const id = await second(users);
      await app.database.prisma.user.update({ where: { id }, data: { lastName: 'Lovelace' } });
      return id;
    },
  },
  {
    title: 'a renamed team',
    path: () => '/api/user-management/v1/teams',
    async change() {
      const id = await second('/api/user-management/v1/teams');
      await patch(`/api/user-management/v1/teams/${id}`, { name: `Renamed ${randomUUID()}` });
      return id;
    },
  },
  {
    title: 'a campaign with other terms',
    path: () => `${sponsorship}/campaigns`,
    async change() {
      const id = await second(`${sponsorship}/campaigns`);
      await patch(`${sponsorship}/campaigns/${id}`, { maxRedemptions: 77 });
      return id;
    },
  },
  {
    title: 'a link that was switched off',
    path: () => `${sponsorship}/campaigns/${world.campaignId}/links`,
    async change() {
      const id = await second(`${sponsorship}/campaigns/${world.campaignId}/links`);
      await patch(`${sponsorship}/links/${id}`, { isActive: false });
      return id;
    },
  },
  {
    title: 'a redemption that was billed',
    path: () => `${sponsorship}/campaigns/${world.campaignId}/redemptions`,
    async change() {
      const id = await second(`${sponsorship}/campaigns/${world.campaignId}/redemptions`);
      await patch(`${sponsorship}/redemptions/${id}/billing`, { billingStatus: 'BILLED' });
      return id;
    },
  },
  {
    title: 'a renamed assistant',
    path: () => '/api/assistants/v1/',
    key: () => world.partner.keyOf('USER_KEY'),
    async change() {
      const key = await world.partner.keyOf('USER_KEY');
      const id = await second(this.path(), key);
      const { code } = await world.session.graph(
        `mutation { updateAssistant(input: { assistantId: "${id}", name: "Renamed" }) { assistant { id } } }`,
      );
      expect(code).toBeUndefined();
      return id;
    },
  },
  {
    title: 'an assistant that was made available to the caller',
    path: () => '/api/assistants/v1/',
    key: () => world.partner.keyOf('USER_KEY'),
    async change() {
      const key = await world.partner.keyOf('USER_KEY');
      const id = await second(this.path(), key);
      await app.database.prisma.assistantShare.updateMany({
        where: { assistantId: id },
        data: { createdAt: new Date() },
      });
      return id;
    },
  },
  {
    title: 'a file that was processed',
    path: () => `/api/assistant-files/v1/assistants/${world.assistantId}/files`,
    key: () => world.partner.keyOf('USER_KEY'),
    async change() {
      const key = await world.partner.keyOf('USER_KEY');
      const id = await second(this.path(), key);
      // The rules that process a file set the time in their statements.
      await app.database.prisma.assistantFile.update({
        where: { id },
        data: { pages: 1, updatedAt: new Date() },
      });
      return id;
    },
  },
];

describe('updatedSince', () => {
  it.each(changes)('lists $title, and nothing else', async (list) => {
    const key = await list.key?.();
    const since = await now();
    expect(await changedIds(list.path(), since, key)).toEqual([]);
    const id = await list.change();
    expect(await changedIds(list.path(), since, key)).toEqual([id]);
    const all = await changedIds(list.path(), new Date(0), key);
    expect(all.length).toBeGreaterThanOrEqual(rowsPerList);
    expect(all.at(-1)).toBe(id);
  });

  it('Redemptions and links that only count do not change their campaign and their link', async () => {
    const since = await now();
    await app.database.prisma.campaign.update({
      where: { id: world.campaignId },
      data: { completedRedemptions: { increment: 1 } },
    });
    await app.database.prisma.link.updateMany({
      where: { campaignId: world.campaignId },
      data: { completedRedemptions: { increment: 1 } },
    });
    expect(await changedIds(`${sponsorship}/campaigns`, since)).toEqual([]);
    expect(await changedIds(`${sponsorship}/campaigns/${world.campaignId}/links`, since)).toEqual(
      [],
    );
    await app.database.prisma.campaign.update({
      where: { id: world.campaignId },
      data: { completedRedemptions: { decrement: 1 } },
    });
    await app.database.prisma.link.updateMany({
      where: { campaignId: world.campaignId },
      data: { completedRedemptions: { decrement: 1 } },
    });
  });

  it('A total counts the changed entries, and an export of rows and another order are refused', async () => {
    const since = new Date(0).toISOString();
    const client = createClient({ baseUrl: server.url, apiKey: world.partner.key });
    const { total } = await client.listUsers({
      updatedSince: since,
      search: 'member',
      pageSize: 2,
    });
    expect(total).toBe(rowsPerList);
    const path = `${sponsorship}/campaigns/${world.campaignId}/redemptions`;
    expect(
      (await world.partner.call('GET', `${path}?format=csv&updatedSince=${since}`)).status,
    ).toBe(400);
    const { code } = await world.session.graph(
      `{ teams(updatedSince: "${since}", orderBy: { field: NAME, direction: ASC }) { totalCount } }`,
    );
    expect(code).toBe('BAD_INPUT');
  });

  // The embedded database has one connection, so nobody reads while a transaction is open.
  it.skipIf(serverUrl === undefined)(
    `A change that is committed after a sync has passed its time is in the next sync, which begins a minute earlier${serverUrl ? '' : ' (TEST_DATABASE_URL is not set)'}`,
    async () => {
      const path = '/api/user-management/v1/teams';
      const id = await second(path);
      const start = await now();
      const name = `Late ${randomUUID()}`;
      await app.database.transact(async (tx) => {
        await tx.sql`update teams set name = ${name}, name_key = ${name} where id = ${id}`;
        await world.partner.call('POST', path, { name: `Later ${randomUUID()}` });
        const { items } = await read(`${path}?updatedSince=${start.toISOString()}`);
        expect(items).toHaveLength(1);
        expect(items[0]?.['name']).toMatch(/^Later/);
      });
      const next = new Date(start.getTime() - 60_000);
      const { items } = await read(`${path}?updatedSince=${next.toISOString()}`);
      expect(items.map((item) => item['name'])).toContain(name);
    },
  );

  it(`A copy that follows the pages equals the list, whatever others insert, change and delete between them, in ${schedules} schedules`, async () => {
    const step = fc.record({ kind: fc.constantFrom('insert', 'update', 'delete'), at: fc.nat() });
    const schedule = fc.record({
      rows: fc.integer({ min: 0, max: 8 }),
      size: fc.integer({ min: 1, max: 3 }),
      steps: fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 5 }),
    });
    const seed = Date.now() % 2 ** 31;
    process.stdout.write(`${schedules} schedules, seed ${seed}\n`);
    const { id: organizationId, keyOf } = await app.organization();
    const key = await keyOf('ORGANIZATION_KEY');
    const { prisma, sql } = app.database;
    const names = async () =>
      new Map(
        (await prisma.team.findMany({ where: { organizationId } })).map(({ id, name }) => [
          id,
          name,
        ]),
      );
    const insert = () =>
      prisma.team.create({
        data: { id: randomUUID(), organizationId, name: randomUUID(), nameKey: randomUUID() },
      });
    await fc.assert(
      fc.asyncProperty(schedule, async ({ rows, size, steps }) => {
        await sql`delete from teams where organization_id = ${organizationId} and not is_default`;
        for (let row = 0; row < rows; row += 1) await insert();
        const copy = new Map<string, unknown>();
        const path = `/api/user-management/v1/teams?pageSize=${size}&updatedSince=1970-01-01T00:00:00Z`;
        let next: string | undefined = path;
        for (let page = 0; next !== undefined; page += 1) {
          const answer = await read(next, key);
          for (const { id, name } of answer.items) copy.set(String(id), name);
          ({ next } = answer);
          // Whoever has read the last page is up to date until then.
          for (const { kind, at } of (next && steps[page]) || []) {
            const ids = [...(await names()).keys()];
            const id = ids[at % Math.max(ids.length, 1)] ?? '';
            if (kind === 'insert') await insert();
            else if (kind === 'update')
              await sql`update teams set name = ${randomUUID()}, name_key = ${randomUUID()} where id = ${id}`;
            else await sql`delete from teams where id = ${id} and not is_default`;
          }
        }
        for (const [id, name] of await names()) expect(copy.get(id)).toBe(name);
      }),
      { seed, numRuns: schedules },
    );
  }, 300_000);
});
