import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { type LiveClient, openLive } from '../../support/live-client.ts';
import { documentIdOf, trusting } from '../../support/live-documents.ts';
import { type ServedApp, serveApp } from '../../support/serve-app.ts';
import { signIn } from '../../support/sign-in.ts';
import { watchStatements } from '../../support/statements.ts';

const teams = 'query Teams($pageSize: Int) { teams(pageSize: $pageSize) { nodes { name } } }';
const campaigns = 'query Campaigns { campaigns { nodes { name } } }';
const team = 'query Team($id: ID!) { team(teamId: $id) { name } }';
const models = 'query Models { models { __typename } }';
const create =
  'mutation Create($name: String!) { createTeam(input: { name: $name }) { team { name } } }';
const untrusted = '{ teams { totalCount } }';

// Changes are polled for every 100 ms.
const severalPollsMs = 900;

const metricsToken = 'a-token-for-metrics';

let app: TestApp;
let other: TestApp;
let served: ServedApp;
let owner: TestOrganization;
const clients: LiveClient[] = [];

beforeAll(async () => {
  app = await testApp({
    ORGANIZATION_KEY_LIMIT: '100000',
    METRICS_TOKEN: metricsToken,
    ...trusting(teams, campaigns, team, models, create),
  });
  other = await app.twin();
  served = await serveApp(app);
});
beforeEach(async () => {
  owner = await app.organization();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  served.close();
  await app.close();
});

async function open(
  query: string,
  variables: Record<string, unknown> = {},
  key = owner.key,
): Promise<LiveClient> {
  const client = await openLive(
    served.url,
    { authorization: `Bearer ${key}` },
    { documentId: documentIdOf(query), variables },
  );
  clients.push(client);
  return client;
}

async function createTeam(name: string, { key } = owner): Promise<string> {
  const answer = await other.callerWith(key)('POST', '/api/user-management/v1/teams', { name });
  expect(answer.status).toBe(200);
  return Object(answer.body['team']).id;
}

const teamsResult = (...names: string[]) => ({
  data: { teams: { nodes: [...names, 'Everyone'].map((name) => ({ name })) } },
});

describe('a live query', () => {
  it('Sends its result at once, and again after a change by another process', async () => {
    const client = await open(teams);
    expect(client.response.status).toBe(200);
    expect(client.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(client.response.headers.get('cache-control')).toBe('no-store');
    expect(await client.resultCount(1)).toEqual([teamsResult()]);
    await createTeam('Live');
    expect((await client.resultCount(2))[1]).toEqual(teamsResult('Live'));
    expect(client.events().map(({ name }) => name)).toEqual(['next', 'next']);
  });

  it('Sends nothing after a change that leaves its result the same', async () => {
    const id = await createTeam('The same');
    const one = await open(team, { id });
    const all = await open(teams);
    await all.resultCount(1);
    const before = await liveExecutions();
    await createTeam('Another');
    await all.resultCount(2);
    await pause(severalPollsMs);
    expect(await liveExecutions()).toBe(before + 2);
    expect(one.results()).toEqual([{ data: { team: { name: 'The same' } } }]);
  });

  it('Sends errors of its result as well, such as of an object that was deleted', async () => {
    const id = await createTeam('Short-lived');
    const client = await open(team, { id });
    expect(await client.resultCount(1)).toEqual([{ data: { team: { name: 'Short-lived' } } }]);
    await other.callerWith(owner.key)('DELETE', `/api/user-management/v1/teams/${id}`);
    expect((await client.resultCount(2))[1]).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
      data: { team: null },
    });
    expect(client.isEnded()).toBe(false);
  });

  it('Is not executed after a change of types that it does not read', async () => {
    const client = await open(campaigns);
    await client.resultCount(1);
    const executions = await liveExecutions();
    await createTeam('Nothing of a campaign');
    await pause(severalPollsMs);
    expect(await liveExecutions()).toBe(executions);
  });

  it('Neither wakes for nor shows a change in another organization', async () => {
    const stranger = await app.organization();
    const client = await open(teams);
    await client.resultCount(1);
    const executions = await liveExecutions();
    await createTeam('Confidential', stranger);
    await pause(severalPollsMs);
    expect(await liveExecutions()).toBe(executions);
    expect(client.text()).not.toContain('Confidential');
  });

  it('Is executed once for all streams of a caller, and separately for another caller', async () => {
    const first = await open(teams);
    await first.resultCount(1);
    const before = await liveExecutions();
    const database = watchStatements();
    const { result: same, statements } = await database.during(async () => {
      const clients = await Promise.all(Array.from({ length: 9 }, () => open(teams)));
      for (const client of clients) await client.resultCount(1);
      return clients;
    });
    database.stop();
    expect(statements.filter((text) => /\bteams\b/.test(text))).toEqual([]);
    expect(await liveExecutions()).toBe(before);
    const { key } = await owner.organizationKey();
    const foreign = await open(teams, {}, key);
    expect(await liveExecutions()).toBe(before + 1);
    await createTeam('Shared');
    for (const client of [first, ...same, foreign])
      expect((await client.resultCount(2))[1]).toEqual(teamsResult('Shared'));
    await pause(severalPollsMs);
    expect(await liveExecutions()).toBe(before + 3);
  });

  it('Is executed at most twice for the changes that are committed between two polls', async () => {
    const client = await open(teams, { pageSize: 100 });
    await client.resultCount(1);
    const before = await liveExecutions();
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 60 }, (_, index) => createTeam(`Burst ${index}`)));
    const polls = Math.ceil((performance.now() - startedAt) / 100) + 2;
    await pause(severalPollsMs);
    const last = client.results().at(-1);
    expect(Object(last)['data'].teams.nodes).toHaveLength(61);
    expect((await liveExecutions()) - before).toBeLessThanOrEqual(2 * polls);
  });

  it('Is not executed any more when its last client has disconnected', async () => {
    const client = await open(teams);
    await client.resultCount(1);
    await client.close();
    await expect.poll(liveStreams).toBe(0);
    const before = await liveExecutions();
    await createTeam('Unseen');
    await pause(severalPollsMs);
    expect(await liveExecutions()).toBe(before);
  });
});

describe('the end of a live query', () => {
  it('Comes within a second after its key was revoked, in every process', async () => {
    const { id, key } = await owner.organizationKey();
    const client = await open(teams, {}, key);
    await client.resultCount(1);
    const kept = await open(teams);
    await other.database.unscoped.sql`update api_keys set revoked_at = now() where id = ${id}`;
    await createTeam('After the end');
    const events = await client.ended();
    expect(events.at(-1)?.name).toBe('complete');
    expect(events.at(-2)?.data).toMatchObject({
      errors: [{ message: 'Your access has ended', extensions: { code: 'FORBIDDEN' } }],
    });
    await kept.resultCount(2);
    expect(kept.isEnded()).toBe(false);
  });

  it('Comes when a feature is disabled, because the answer of the caller can change', async () => {
    const client = await open(campaigns);
    await client.resultCount(1);
    await other.database.unscoped
      .sql`update organizations set features = '{}' where id = ${owner.id}`;
    const events = await client.ended();
    expect(events.map(({ name }) => name)).toEqual(['next', 'next', 'complete']);
  });

  it('Comes when the session has ended, and when the member was removed', async () => {
    const leaver = await owner.member(`leaver@${owner.slug}.example`);
    const removed = await owner.member(`removed@${owner.slug}.example`);
    const streams: LiveClient[] = [];
    for (const { id } of [leaver, removed]) {
      const { cookie } = await signIn(app, id);
      const client = await openLive(served.url, { cookie }, { documentId: documentIdOf(teams) });
      clients.push(client);
      await client.resultCount(1);
      streams.push(client);
    }
    const { sql } = other.database.unscoped;
    await sql`delete from sessions where user_id = ${leaver.id}`;
    await sql`delete from memberships where user_id = ${removed.id}`;
    for (const client of streams) {
      const events = await client.ended();
      expect(events.at(-1)?.name).toBe('complete');
      expect(events.at(-2)?.data).toMatchObject({
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      });
    }
  });

  it('Comes with a complete event when the process stops', async () => {
    const stopping = await other.twin();
    const own = await serveApp(stopping);
    const client = await openLive(
      own.url,
      { authorization: `Bearer ${owner.key}` },
      { documentId: documentIdOf(teams) },
    );
    await client.resultCount(1);
    stopping.stop();
    expect((await client.ended()).map(({ name }) => name)).toEqual(['next', 'complete']);
    own.close();
  });
});

it('A caller with 100 different live queries gets 429 for one more, and not for an equal one', async () => {
  const pageSizes = Array.from({ length: 100 }, (_, index) => index + 1);
  await Promise.all(pageSizes.map((pageSize) => open(teams, { pageSize })));
  const refused = await open(teams);
  expect(refused.response.status).toBe(429);
  expect(refused.response.headers.get('retry-after')).toBe('10');
  await refused.ended();
  expect(JSON.parse(refused.text())).toMatchObject({
    errors: [{ extensions: { code: 'RATE_LIMITED' } }],
  });
  const equal = await open(teams, { pageSize: 1 });
  expect(await equal.resultCount(1)).toEqual([teamsResult()]);
});

describe('a request that is answered once although it accepts an event stream', () => {
  const answeredOnce = async (body: { query: string; variables?: Record<string, unknown> }) => {
    const client = await openLive(served.url, { authorization: `Bearer ${owner.key}` }, body);
    expect((await client.ended()).map(({ name }) => name)).toEqual(['next', 'complete']);
    return client.results()[0];
  };

  it('Is a query whose document is not trusted', async () => {
    expect(await answeredOnce({ query: untrusted })).toEqual({
      data: { teams: { totalCount: 1 } },
    });
  });

  it('Is a mutation', async () => {
    expect(await answeredOnce({ query: create, variables: { name: 'Once' } })).toMatchObject({
      data: { createTeam: { team: { name: 'Once' } } },
    });
  });

  it('Is a query that asks providers', async () => {
    expect(await answeredOnce({ query: models })).toMatchObject({ data: {} });
  });

  it('Is a query with invalid variables', async () => {
    const client = await openLive(
      served.url,
      { authorization: `Bearer ${owner.key}` },
      { query: teams, variables: { pageSize: 1_000 } },
    );
    expect(await client.ended()).toMatchObject([
      { name: 'next', data: { errors: [{ extensions: { code: 'BAD_INPUT' } }] } },
      { name: 'complete' },
    ]);
  });
});

async function metric(name: string): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const { text } = await app.request('GET', '/metrics', { headers });
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`There is no metric ${name}: ${text}`);
  return Number(value);
}
const liveExecutions = () => metric('atrium_graphql_live_executions_total');
const liveStreams = () => metric('atrium_graphql_live_streams');
