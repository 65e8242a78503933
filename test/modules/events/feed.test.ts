import { afterAll, beforeAll, expect, it } from 'vitest';
import { features } from '../../../src/modules/organizations/features.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { settleEvents } from '../../support/settle-events.ts';

type EventBody = {
  id: string;
  type: string;
  timestamp: string;
  data: {
    resourceType: string;
    resourceId: string;
    references: { name: string; id: string }[];
    changedFields: string[];
  };
};

const path = '/api/events/v1/events';
const dayMs = 86_400_000;

let app: TestApp;
let owner: TestOrganization;
let now: Date;

beforeAll(async () => {
  now = new Date();
  app = await testApp({}, { clock: () => now });
  owner = await app.organization();
});
afterAll(() => app.close());

async function read(query = '', { call } = owner) {
  await settleEvents(app.database);
  const answer = await call('GET', `${path}${query}`);
  expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
  const { events, next, hasMore } = answer.body as {
    events: EventBody[];
    next: string;
    hasMore: boolean;
  };
  return { events, next, hasMore };
}
const createTeam = async (name: string): Promise<string> => {
  const { status, body } = await owner.manage('POST', '/teams', { name });
  expect(status).toBe(200);
  return Object(body['team']).id;
};

it('A change is an event with identifiers and names of fields, and without their values', async () => {
  const { next } = await read();
  const id = await createTeam('Confidential name');
  const { events, hasMore } = await read(`?after=${next}`);
  expect(events).toEqual([
    {
      id: expect.any(String),
      type: 'team.created',
      timestamp: now.toISOString(),
      data: { resourceType: 'Team', resourceId: id, references: [], changedFields: ['name'] },
    },
  ]);
  expect(hasMore).toBe(false);
  expect(JSON.stringify(events)).not.toContain('Confidential');
});

it('Pages of any size give the same events as one page', async () => {
  const { next } = await read();
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await createTeam(name);
  const { events } = await read(`?after=${next}`);
  expect(events).toHaveLength(5);
  const paged: EventBody[] = [];
  let page = await read(`?after=${next}&limit=2`);
  paged.push(...page.events);
  while (page.hasMore) {
    page = await read(`?after=${page.next}&limit=2`);
    paged.push(...page.events);
  }
  expect(paged).toEqual(events);
  expect((await read(`?after=${page.next}`)).events).toEqual([]);
});

it('A reader of some types gets only those, and its cursor passes the others', async () => {
  const { next } = await read();
  const teamId = await createTeam('Typed');
  const { id: userId } = await owner.member('typed@feed.example');
  await owner.manage('POST', `/teams/${teamId}/users`, { userId });
  const query = (after: string) => `?after=${after}&types=team.user_added,team.deleted`;
  const { events, next: later } = await read(query(next));
  expect(events.map(({ type, data }) => [type, data.references])).toEqual([
    ['team.user_added', [{ name: 'userId', id: userId }]],
  ]);
  await owner.manage('DELETE', `/teams/${teamId}`);
  expect((await read(query(later))).events.map(({ type }) => type)).toEqual(['team.deleted']);
});

it('A reader that waits gets an event of another process once it is committed', async () => {
  const { next } = await read();
  const twin = await app.twin();
  const waiting = read(`?after=${next}&wait=20`);
  const created = await twin.callerWith(owner.key)('POST', '/api/user-management/v1/teams', {
    name: 'Awaited',
  });
  expect(created.status).toBe(200);
  expect((await waiting).events.map(({ type }) => type)).toEqual(['team.created']);
});

it('A reader that waits for a type is not answered with others', async () => {
  const { next } = await read();
  const waiting = read(`?after=${next}&wait=20&types=team.deleted`);
  const id = await createTeam('Passing');
  await owner.manage('DELETE', `/teams/${id}`);
  expect((await waiting).events.map(({ data }) => data.resourceId)).toEqual([id]);
});

it('A wait without an event ends with an empty answer', async () => {
  const { next } = await read();
  expect(await read(`?after=${next}&wait=1`)).toMatchObject({ events: [], hasMore: false });
});

it('A cursor whose next event is older than 30 days has expired, and a feed without a cursor begins later', async () => {
  const { next } = await read();
  await createTeam('Old');
  const before = now;
  now = new Date(before.getTime() + 30 * dayMs + 1);
  const expired = await owner.call('GET', `${path}?after=${next}`);
  expect(expired).toMatchObject({ status: 410, body: { code: 'CURSOR_EXPIRED' } });
  const id = await createTeam('New');
  expect((await read()).events.map(({ data }) => data.resourceId)).toEqual([id]);
  now = before;
});

it('A cursor of another server has expired', async () => {
  const { next } = await read();
  await app.database.sql`select new_event_epoch()`;
  const answer = await owner.call('GET', `${path}?after=${next}`);
  expect(answer).toMatchObject({ status: 410, body: { code: 'CURSOR_EXPIRED' } });
});

it.each([
  ['after=abc', 'after'],
  [`after=${Buffer.from('["events","e","1","x"]').toString('base64url')}`, 'after'],
  [
    `after=${Buffer.from('["events","e","1","9999999999999999999999"]').toString('base64url')}`,
    'after',
  ],
  ['types=team.created,team.painted', 'types'],
  ['types=TEAM_CREATED', 'types'],
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['wait=26', 'wait'],
  ['wait=x', 'wait'],
])('%s is answered with 400 for %s', async (query, field) => {
  const answer = await owner.call('GET', `${path}?${query}`);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
});

it('An organization sees no event of another one', async () => {
  const other = await app.organization();
  const { next } = await read('', other);
  await createTeam('Of the owner');
  expect((await read(`?after=${next}`, other)).events).toEqual([]);
});

it('Without the feature the feed is refused', async () => {
  const other = await app.organization({ features: features.filter((name) => name !== 'events') });
  const answer = await other.call('GET', path);
  expect(answer).toMatchObject({ status: 403, body: { code: 'FEATURE_DISABLED' } });
});

it('GraphQL has the same events', async () => {
  const { next } = await read();
  const id = await createTeam('Graph');
  await settleEvents(app.database);
  const query = `query ($after: String) { events(after: $after, types: [TEAM_CREATED]) {
    events { id type timestamp data { resourceType resourceId references { name id } changedFields } } next hasMore } }`;
  const { data } = await app.graph(owner.key, query, { after: next });
  const { events } = await read(`?after=${next}`);
  expect(data?.['events']).toMatchObject({
    events: [{ ...events[0], type: 'TEAM_CREATED', data: { resourceId: id } }],
    hasMore: false,
  });
});
