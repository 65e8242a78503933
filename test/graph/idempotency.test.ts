import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { personIn } from '../support/assistants.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { signIn } from '../support/sign-in.ts';
import { withTrigger } from '../support/trigger.ts';

let app: TestApp;
let owner: TestOrganization;
let provider: ModelProvider;
let server: Server;
let origin: string;
let now = Date.now();

beforeAll(async () => {
  provider = await modelProvider(() => ({ text: 'Hello.' }));
  const limits = { ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000' };
  const settings = {
    ...limits,
    AUTH_SECRET: 'the same for every process of these tests',
    MODEL_BASE_URL: provider.baseUrl,
    MODEL_DEFAULT: 'large',
  };
  app = await testApp(settings, { clock: () => new Date(now) });
  owner = await app.organization();
  server = createServer(app.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
  await provider.close();
});

type Sender = { authorization: string } | { cookie: string };
type Sent = { as?: Sender; key?: string; operationName?: string; accept?: string };

const keyOf = (key: string): Sender => ({ authorization: `Bearer ${key}` });

/** A request to the graph by Node's own client. */
async function send(
  query: string,
  variables: Record<string, unknown> = {},
  { as = keyOf(owner.key), key, operationName, accept }: Sent = {},
) {
  const headers = {
    ...as,
    'content-type': 'application/json',
    ...(accept && { accept }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables, operationName }),
  });
  const text = await response.text();
  const { data = null, errors = [] } = JSON.parse(text.startsWith('{') ? text : '{}');
  return {
    status: response.status,
    headers: response.headers,
    replayed: response.headers.get('idempotency-replayed'),
    text,
    data,
    errors,
  };
}

const createTeam = 'mutation ($name: TeamName!) { createTeam(name: $name) { id name } }';
const teams = (name: string) =>
  app.database.prisma.team.count({ where: { name, organizationId: owner.id } });
const remembered = (key: string) => app.database.prisma.idempotentRequest.count({ where: { key } });

describe('a mutation over /graphql with an Idempotency-Key', () => {
  it('is executed once, and its answer is repeated to the byte and says so', async () => {
    const first = await send(createTeam, { name: 'Again' }, { key: 'again' });
    const second = await send(createTeam, { name: 'Again' }, { key: 'again' });
    expect(first).toMatchObject({
      status: 200,
      replayed: null,
      data: { createTeam: { name: 'Again' } },
    });
    expect(second).toMatchObject({ status: 200, replayed: 'true', text: first.text });
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await teams('Again')).toBe(1);
  });

  it('is executed once however many arrive at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(createTeam, { name: 'Crowd' }, { key: 'crowd' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(await teams('Crowd')).toBe(1);
  });

  it('is executed once in two processes', async () => {
    const other = await app.twin();
    try {
      const first = await send(createTeam, { name: 'Twin' }, { key: 'twin' });
      const body = { query: createTeam, variables: { name: 'Twin' } };
      expect(
        (await other.callerWith(owner.key)('POST', '/graphql', body, { 'idempotency-key': 'twin' }))
          .text,
      ).toBe(first.text);
    } finally {
      other.stop();
    }
  });

  it.each<[string, string, Record<string, unknown>, Sent]>([
    [
      'document',
      'mutation ($name: TeamName!) { createTeam(name: $name) { id } }',
      { name: 'Other' },
      {},
    ],
    ['variables', createTeam, { name: 'Another' }, {}],
  ])('is 422 with another %s, and nothing is executed', async (_, query, variables, sent) => {
    await send(createTeam, { name: 'Other' }, { key: 'other' });
    const entries = await app.database.prisma.auditEntry.count();
    const answer = await send(query, variables, { ...sent, key: 'other' });
    expect(answer).toMatchObject({
      status: 422,
      errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }],
    });
    expect(await app.database.prisma.auditEntry.count()).toBe(entries);
  });

  it('is 422 with another operation of the same document, and over REST', async () => {
    const two =
      'mutation A { createTeam(name: "A") { id } } mutation B { createTeam(name: "B") { id } }';
    expect((await send(two, {}, { key: 'two', operationName: 'A' })).status).toBe(200);
    expect((await send(two, {}, { key: 'two', operationName: 'B' })).status).toBe(422);
    expect(
      (await owner.manage('POST', '/teams', { name: 'A' }, { 'idempotency-key': 'two' })).status,
    ).toBe(422);
    expect([await teams('A'), await teams('B')]).toEqual([1, 0]);
  });

  it('is another request from another organization, and from another person', async () => {
    const other = await app.organization();
    const [ours, theirs] = [
      await send(createTeam, { name: 'Tenants' }, { key: 'tenants' }),
      await send(createTeam, { name: 'Tenants' }, { key: 'tenants', as: keyOf(other.key) }),
    ];
    expect([theirs.status, theirs.replayed, theirs.text === ours.text]).toEqual([200, null, false]);
    const [ada, emil] = [await personIn(app, owner), await personIn(app, owner)];
    const create = 'mutation { createAssistant(name: "Mine") { id } }';
    const [hers, his] = [
      await send(create, {}, { key: 'people', as: keyOf(ada.key) }),
      await send(create, {}, { key: 'people', as: keyOf(emil.key) }),
    ];
    expect([his.status, his.replayed, his.text === hers.text]).toEqual([200, null, false]);
  });

  it('is not kept where the answer has errors: the same key may be tried again', async () => {
    await send(createTeam, { name: 'Taken' });
    const refused = await send(createTeam, { name: 'Taken' }, { key: 'refused' });
    expect(refused.errors[0]).toMatchObject({ extensions: { code: 'CONFLICT' } });
    expect(await remembered('refused')).toBe(0);
    await app.database.prisma.team.deleteMany({ where: { name: 'Taken' } });
    expect(await send(createTeam, { name: 'Taken' }, { key: 'refused' })).toMatchObject({
      replayed: null,
      errors: [],
      data: { createTeam: { name: 'Taken' } },
    });
  });

  it('goes on behind its first field where the second was refused: nothing is written twice', async () => {
    const both =
      'mutation { first: createTeam(name: "First") { id } second: createTeam(name: "Second") { id } }';
    await send(createTeam, { name: 'Second' });
    const half = await send(both, {}, { key: 'half' });
    expect(half.errors[0]).toMatchObject({ path: ['second'] });
    await app.database.prisma.team.deleteMany({ where: { name: 'Second' } });
    const whole = await send(both, {}, { key: 'half' });
    expect(whole).toMatchObject({ errors: [], replayed: 'true' });
    expect([await teams('First'), await teams('Second')]).toEqual([1, 1]);
  });

  it('after a crash between commit and answer is finished and writes nothing again', async () => {
    const lost = await withTrigger(
      app.database,
      'before update on idempotent_requests',
      'if new.answer is not null then new.answer := null; new.steps := old.steps; new.alive_until := to_timestamp(0); end if; return new;',
      () => send(createTeam, { name: 'Crash' }, { key: 'crash' }),
    );
    const again = await send(createTeam, { name: 'Crash' }, { key: 'crash' });
    expect(again).toMatchObject({ status: 200, replayed: 'true', text: lost.text });
    expect(await teams('Crash')).toBe(1);
  });

  it('lets a model answer once', async () => {
    const person = await personIn(app, owner);
    const { data } = await send(
      'mutation { createAssistant(name: "Run") { id } }',
      {},
      { as: keyOf(person.key) },
    );
    const run = `mutation { runAssistant(assistantId: "${data.createAssistant.id}", messages: [{ role: "user", content: "Hi" }]) { text } }`;
    provider.now(() => ({ text: 'Hello.' }));
    for (const replayed of [null, 'true'])
      expect(await send(run, {}, { key: 'run', as: keyOf(person.key) })).toMatchObject({
        replayed,
        data: { runAssistant: { text: 'Hello.' } },
      });
    expect(provider.requests).toHaveLength(1);
  });

  it('after 24 hours is a new request', async () => {
    const first = await send(createTeam, { name: 'Day' }, { key: 'day' });
    await app.database.prisma.team.deleteMany({ where: { name: 'Day' } });
    now += 24 * 60 * 60 * 1000;
    expect(await send(createTeam, { name: 'Day' }, { key: 'day' })).toMatchObject({
      status: 200,
      replayed: null,
      text: expect.not.stringMatching(first.text),
    });
  });
});

describe('a mutation of a person who is signed in, with an Idempotency-Key', () => {
  const createKey = 'mutation { createOrganizationKey(name: "Once") { key } }';

  it('makes one API key, shows it again, and leaves it nowhere in clear', async () => {
    const session = await signIn(app, owner.administratorId);
    const sent: Sent = { key: 'console', as: { cookie: session.cookie } };
    const first = await send(createKey, {}, sent);
    expect(first.data.createOrganizationKey.key).toMatch(/^sk_svc_um_/);
    expect(await send(createKey, {}, sent)).toMatchObject({ replayed: 'true', text: first.text });
    expect(
      await app.database.prisma.apiKey.count({ where: { organizationId: owner.id, name: 'Once' } }),
    ).toBe(1);
    const [kept] = await app.database.prisma.idempotentRequest.findMany({
      where: { key: 'console' },
    });
    const key: string = first.data.createOrganizationKey.key;
    expect(kept?.answer).toBeTypeOf('string');
    expect(JSON.stringify(kept)).not.toContain(key);
    expect(Buffer.from(kept?.answer ?? '', 'base64').toString('latin1')).not.toContain(key);
  });

  it('keeps what a transaction returned in no clear text either, and a crash shows the same key', async () => {
    const session = await signIn(app, owner.administratorId);
    const sent: Sent = { key: 'lost-key', as: { cookie: session.cookie } };
    const lost = await withTrigger(
      app.database,
      'before update on idempotent_requests',
      'if new.answer is not null then new.answer := null; new.steps := old.steps; new.alive_until := to_timestamp(0); end if; return new;',
      () => send(createKey, {}, sent),
    );
    const [kept] = await app.database.prisma.idempotentRequest.findMany({
      where: { key: 'lost-key' },
    });
    const key: string = lost.data.createOrganizationKey.key;
    expect(kept?.steps.length).toBeGreaterThan(0);
    for (const step of kept?.steps ?? [])
      expect(Buffer.from(step).toString('latin1')).not.toContain(key);
    expect((await send(createKey, {}, sent)).data.createOrganizationKey.key).toBe(key);
  });

  it('is not repeated to somebody who may no longer do it', async () => {
    const other = await app.organization();
    const member = await other.member('demoted@idempotency.example');
    const where = { organizationId_userId: { organizationId: other.id, userId: member.id } };
    await app.database.prisma.membership.update({ where, data: { role: 'ADMIN' } });
    const session = await signIn(app, member.id);
    const sent: Sent = { key: 'demoted', as: { cookie: session.cookie } };
    expect((await send(createKey, {}, sent)).status).toBe(200);
    await app.database.prisma.membership.update({ where, data: { role: 'MEMBER' } });
    const refused = await send(createKey, {}, sent);
    expect(refused).toMatchObject({ status: 403, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    expect(refused.text).not.toContain('sk_svc_');
  });

  it('without an organization is 400, not executed twice in silence', async () => {
    const answer = await send(
      'mutation { createUserKey(name: "x") { key } }',
      {},
      { key: 'nobody', as: { authorization: '' } as Sender },
    );
    expect(answer.status).not.toBe(200);
  });
});

describe('an Idempotency-Key', () => {
  it('is ignored by queries, by POST and by GET', async () => {
    const query = '{ teams { name } }';
    const first = await send(query, {}, { key: 'query' });
    await send(createTeam, { name: 'Between' });
    const second = await send(query, {}, { key: 'query' });
    expect([first.status, first.replayed, second.replayed]).toEqual([200, null, null]);
    expect(second.text).toContain('Between');
    const got = await fetch(`${origin}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { ...keyOf(owner.key), 'idempotency-key': 'two words' },
    });
    expect(got.status).toBe(200);
    expect(await remembered('query')).toBe(0);
  });

  it.each([
    ['with a space', 'two words'],
    ['of 256 characters', 'x'.repeat(256)],
    ['that is empty', ''],
  ])('%s is 400 on a mutation', async (_, key) => {
    const answer = await send(createTeam, { name: 'Form' }, { key });
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringMatching(/^Idempotency-Key must be 1 to 255/) }],
    });
    expect(await teams('Form')).toBe(0);
  });

  it('is 400 where an event stream is asked for, and with a form that holds a file', async () => {
    const stream = await send(
      createTeam,
      { name: 'Stream' },
      { key: 'stream', accept: 'text/event-stream' },
    );
    expect(stream).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringContaining('An event stream cannot be repeated') }],
    });
    const form = new FormData();
    form.set(
      'operations',
      JSON.stringify({
        query:
          'mutation ($file: Upload!) { uploadAssistantFile(assistantId: "x", file: $file) { id } }',
        variables: { file: null },
      }),
    );
    form.set('map', '{"0":["variables.file"]}');
    form.set('0', new Blob(['text']), 'a.txt');
    const upload = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { ...keyOf(owner.key), 'x-requested-with': 'test', 'idempotency-key': 'file' },
      body: form,
    });
    expect(upload.status).toBe(400);
    expect(await upload.text()).toContain(
      'A form with a file takes no Idempotency-Key over GraphQL',
    );
  });

  it('of a document that cannot be executed is told what is wrong with the document', async () => {
    expect(
      (await send('mutation { nothingLikeThis }', {}, { key: 'wrong' })).errors[0].message,
    ).toContain('nothingLikeThis');
    expect((await send('mutation {', {}, { key: 'wrong' })).errors[0].message).toContain(
      'Syntax Error',
    );
    expect(await remembered('wrong')).toBe(0);
  });
});
