import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { everyCall } from '../support/calls.ts';
import { computedDocument } from '../support/computed-document.ts';
import { createListWorld, type ListWorld, rowsPerList } from '../support/list-world.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';

/** The public origin, which is not the address of the server. */
const origin = 'https://atrium.example';

let app: TestApp;
let server: ServedApp;
let world: ListWorld;
beforeAll(async () => {
  app = await testApp({
    ORIGIN: origin,
    USER_KEY_LIMIT: '1000000',
    ORGANIZATION_KEY_LIMIT: '1000000',
  });
  server = await serveApp(app);
  world = await createListWorld(app);
});
afterAll(async () => {
  server.close();
  await app.close();
});

const document = computedDocument();
const lists = everyCall.flatMap((call) => {
  const operation = document.paths[call.template.replaceAll(/:(\w+)/g, '{$1}')]?.['get'];
  const isList = operation?.parameters.some(({ name }) => name === 'before');
  return call.method === 'GET' && isList ? [call] : [];
});
const numbered = lists.filter(({ template }) =>
  /campaigns|users|links|redemptions|statements|runs|endpoints|deliveries/.test(template),
);

type List = (typeof lists)[number];
type Answer = {
  status: number;
  ids: string[];
  body: Record<string, unknown>;
  links: Record<string, string>;
};

const pathOf = ({ template }: List) =>
  template
    .replace(/(?<=runs)\/$/, '')
    .replace(':assistantId', world.assistantId)
    .replace(':campaignId', world.campaignId)
    .replace(':teamId', world.teamId)
    .replace(':endpointId', world.endpointId)
    .replace(':month', world.statementMonth);

async function read(list: List, target: string): Promise<Answer> {
  const key = await world.partner.keyOf(list.key);
  const response = await fetch(server.url + target.replace(origin, ''), {
    headers: { authorization: `Bearer ${key}` },
  });
  const body: Record<string, unknown> = Object(await response.json());
  const header = response.headers.get('link') ?? '';
  const links = Object.fromEntries(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url = '', relation = '']) => [
      relation,
      url,
    ]),
  );
  for (const url of Object.values(links)) expect(url.startsWith(`${origin}/api/`)).toBe(true);
  return { status: response.status, ids: idsOf(body), body, links };
}

const idsOf = (body: Record<string, unknown>): string[] => {
  const [items = []] = Object.values(body).filter((value) => Array.isArray(value));
  return items.map((item: unknown) => String(Object(item).id));
};

/** Follows the links of this relation, and returns the pages. */
async function follow(list: List, start: string, relation: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let target: string | undefined = start; target; ) {
    const page: Answer = await read(list, target);
    expect(page.status).toBe(200);
    pages.push(page);
    target = page.links[relation];
    expect(pages.length).toBeLessThan(20);
  }
  return pages;
}

it('All fourteen lists take cursors', () => {
  expect(lists.map(({ template }) => template)).toHaveLength(14);
  expect(numbered).toHaveLength(10);
});

describe.each(lists.map((list) => [list.title, list] as const))('%s', (_, list) => {
  it('lists each entry once by the links to the next page, and back by those to the previous one', async () => {
    const path = pathOf(list);
    const { ids: all } = await read(list, numbered.includes(list) ? `${path}?pageSize=100` : path);
    expect(all.length).toBeGreaterThanOrEqual(rowsPerList);
    for (const size of [1, 2, 3]) {
      const pages = await follow(list, `${path}?pageSize=${size}`, 'next');
      expect(pages.flatMap(({ ids }) => ids)).toEqual(all);
      expect(pages.length).toBe(Math.ceil(all.length / size));
      const [, second] = pages;
      expect(second?.links['first']).toBe(`${origin}${path}?pageSize=${size}`);
      const backwards = await follow(list, pages.at(-2)?.links['next'] ?? '', 'prev');
      expect(backwards.toReversed().flatMap(({ ids }) => ids)).toEqual(all);
    }
  });

  it('has the same fields after a cursor as without, and none for the position', async () => {
    const path = pathOf(list);
    const first = await read(list, `${path}?pageSize=3`);
    const second = await read(list, first.links['next'] ?? '');
    expect(Object.keys(second.body)).toEqual(Object.keys(first.body));
    expect(first.body).not.toHaveProperty('pageInfo');
    expect(second.body['total']).toEqual(first.body['total']);
  });

  it('refuses a cursor of another list, with its parameter', async () => {
    const other = lists.find(
      ({ operation, key }) => operation !== list.operation && key === list.key,
    );
    const { links } = await read(other ?? list, `${pathOf(other ?? list)}?pageSize=1`);
    const cursor = new URL(links['next'] ?? '').searchParams.get('after') ?? '';
    for (const name of ['after', 'before'])
      expect(await read(list, `${pathOf(list)}?${name}=${cursor}`)).toMatchObject({
        status: 400,
        body: { errors: [{ field: name, code: 'INVALID' }] },
      });
  });
});

describe.each(numbered.map((list) => [list.title, list] as const))('%s', (_, list) => {
  it('has links with numbers for a client that has chosen a number', async () => {
    const url = `${origin}${pathOf(list)}?pageSize=3`;
    const { body, links } = await read(list, `${url}&page=2`);
    const last = Number(body['totalPages']);
    expect(links).toEqual({
      first: `${url}&page=1`,
      prev: `${url}&page=1`,
      next: `${url}&page=3`,
      last: `${url}&page=${last}`,
    });
    expect((await read(list, `${url}&page=${last}`)).links).not.toHaveProperty('next');
    expect((await read(list, `${url}&page=${last + 5}`)).links['prev']).toBe(`${url}&page=${last}`);
  });

  it('refuses a number together with a cursor', async () => {
    const path = pathOf(list);
    const { links } = await read(list, `${path}?pageSize=1`);
    expect(await read(list, `${links['next']}&page=1`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'page', code: 'INVALID' }] },
    });
  });
});

describe('a list', () => {
  it('without pages has no links', async () => {
    // Conversations have pages by cursor always.
    const complete = lists.filter(
      (list) => !numbered.includes(list) && !list.template.includes('conversations'),
    );
    expect(complete).toHaveLength(3);
    for (const list of complete) expect((await read(list, pathOf(list))).links).toEqual({});
  });

  it('keeps its filters in the links', async () => {
    const list = lists.find(({ operation }) => operation === 'user-management/list-users');
    if (!list) throw new Error('There is no list of users');
    const search = 'search=name%20%26%20co&pageSize=2';
    expect((await read(list, `${pathOf(list)}?${search}`)).links).toEqual({
      first: `${origin}${pathOf(list)}?search=name+%26+co&pageSize=2`,
    });
    const pages = await follow(list, `${pathOf(list)}?search=MEMBER&pageSize=2`, 'next');
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(rowsPerList);
  });

  it('has links in the answer to HEAD, and the export as rows takes no cursor', async () => {
    const path = `/api/sponsorship/v1/campaigns/${world.campaignId}/redemptions`;
    const headers = { authorization: `Bearer ${world.partner.key}` };
    const head = await fetch(`${server.url}${path}?pageSize=2`, { method: 'HEAD', headers });
    expect(head.headers.get('link')).toMatch(/rel="next"/);
    const rows = await fetch(`${server.url}${path}?format=csv&after=x`, { headers });
    expect({ status: rows.status, body: await rows.json() }).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'after' }] },
    });
  });
});

it('The client reads all items of each list by cursors, and misses none that others move', async () => {
  const organization = createClient({ baseUrl: server.url, apiKey: world.partner.key });
  const names: string[] = [];
  for await (const { id, name } of organization.listTeams.all({ pageSize: 2 })) {
    names.push(name);
    // Numbered pages would skip an entry after this.
    if (name === 'Team 6') await organization.deleteTeam({ teamId: id });
    if (name === 'Team 5') await organization.createTeam({ name: 'Newer' });
  }
  expect(names).toHaveLength(rowsPerList + 1);
  const ids: string[] = [];
  for await (const { id } of organization.listUsers.all({ pageSize: 2 })) {
    ids.push(id);
    if (ids.length === 2) await organization.removeUser({ userId: id });
  }
  expect(new Set(ids).size).toBe(rowsPerList + 1);
  const apiKey = await world.partner.keyOf('USER_KEY');
  const person = createClient({ baseUrl: server.url, apiKey });
  const files = person.listAssistantFiles.all({ assistantId: world.assistantId, pageSize: 3 });
  let count = 0;
  for await (const { id } of files) count += id ? 1 : 0;
  expect(count).toBe(rowsPerList);
});
