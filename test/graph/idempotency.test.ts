import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { personIn } from '../support/assistants.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';
import { signIn } from '../support/sign-in.ts';
import { withTrigger } from '../support/trigger.ts';

let app: TestApp;
let owner: TestOrganization;
let provider: ModelProvider;
let server: ServedApp;
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
  server = await serveApp(app);
});
afterAll(async () => {
  server.close();
  await app.close();
  await provider.close();
});

type RequestCredential = { authorization: string } | { cookie: string };
type MutationRequest = {
  as?: RequestCredential;
  key?: string;
  operationName?: string;
  accept?: string;
};

const keyOf = (key: string): RequestCredential => ({ authorization: `Bearer ${key}` });

/** Sends a GraphQL request with Node's fetch. */
async function sendGraphQL(
  query: string,
  variables: Record<string, unknown> = {},
  { as = keyOf(owner.key), key, operationName, accept }: MutationRequest = {},
) {
  const headers = {
    ...as,
    'content-type': 'application/json',
    ...(accept && { accept }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const response = await fetch(`${server.url}/graphql`, {
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

const createTeam =
  'mutation ($name: String!) { createTeam(input: { name: $name }) { team { id name } } }';
const countTeams = (name: string) =>
  app.database.prisma.team.count({ where: { name, organizationId: owner.id } });
const countRecords = (key: string) =>
  app.database.prisma.idempotentRequest.count({ where: { key } });

describe('mutations with an Idempotency-Key', () => {
  it('a repeated mutation is executed once, and its answer is repeated byte for byte with Idempotency-Replayed', async () => {
    const first = await sendGraphQL(createTeam, { name: 'Again' }, { key: 'again' });
    const second = await sendGraphQL(createTeam, { name: 'Again' }, { key: 'again' });
    expect(first).toMatchObject({
      status: 200,
      replayed: null,
      data: { createTeam: { team: { name: 'Again' } } },
    });
    expect(second).toMatchObject({ status: 200, replayed: 'true', text: first.text });
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await countTeams('Again')).toBe(1);
  });

  it('a mutation is executed once, however many copies arrive at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendGraphQL(createTeam, { name: 'Crowd' }, { key: 'crowd' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(await countTeams('Crowd')).toBe(1);
  });

  it('a mutation is executed once if it is sent to two processes', async () => {
    const other = await app.twin();
    try {
      const first = await sendGraphQL(createTeam, { name: 'Twin' }, { key: 'twin' });
      const body = { query: createTeam, variables: { name: 'Twin' } };
      expect(
        (await other.callerWith(owner.key)('POST', '/graphql', body, { 'idempotency-key': 'twin' }))
          .text,
      ).toBe(first.text);
    } finally {
      other.stop();
    }
  });

  it.each<[string, string, Record<string, unknown>, MutationRequest]>([
    [
      'document',
      'mutation ($name: String!) { createTeam(input: { name: $name }) { team { id } } }',
      { name: 'Other' },
      {},
    ],
    ['variables', createTeam, { name: 'Another' }, {}],
  ])(
    'the same key with another %s gets 422, and nothing is executed',
    async (_, query, variables, request) => {
      await sendGraphQL(createTeam, { name: 'Other' }, { key: 'other' });
      const entries = await app.database.prisma.auditEntry.count();
      const answer = await sendGraphQL(query, variables, { ...request, key: 'other' });
      expect(answer).toMatchObject({
        status: 422,
        errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }],
      });
      expect(await app.database.prisma.auditEntry.count()).toBe(entries);
    },
  );

  it('the same key with another operation of the document, or over REST, gets 422', async () => {
    const two =
      'mutation A { createTeam(input: { name: "A" }) { team { id } } } mutation B { createTeam(input: { name: "B" }) { team { id } } }';
    expect((await sendGraphQL(two, {}, { key: 'two', operationName: 'A' })).status).toBe(200);
    expect((await sendGraphQL(two, {}, { key: 'two', operationName: 'B' })).status).toBe(422);
    expect(
      (await owner.manage('POST', '/teams', { name: 'A' }, { 'idempotency-key': 'two' })).status,
    ).toBe(422);
    expect([await countTeams('A'), await countTeams('B')]).toEqual([1, 0]);
  });

  it('the same key of another organization or another person is a separate request', async () => {
    const other = await app.organization();
    const [ourAnswer, theirAnswer] = [
      await sendGraphQL(createTeam, { name: 'Tenants' }, { key: 'tenants' }),
      await sendGraphQL(createTeam, { name: 'Tenants' }, { key: 'tenants', as: keyOf(other.key) }),
    ];
    expect([theirAnswer.status, theirAnswer.replayed, theirAnswer.text === ourAnswer.text]).toEqual(
      [200, null, false],
    );
    const [ada, emil] = [await personIn(app, owner), await personIn(app, owner)];
    const create = 'mutation { createAssistant(input: { name: "Mine" }) { assistant { id } } }';
    const [firstPerson, secondPerson] = [
      await sendGraphQL(create, {}, { key: 'people', as: keyOf(ada.key) }),
      await sendGraphQL(create, {}, { key: 'people', as: keyOf(emil.key) }),
    ];
    expect([
      secondPerson.status,
      secondPerson.replayed,
      secondPerson.text === firstPerson.text,
    ]).toEqual([200, null, false]);
  });

  it('an answer with errors is not stored, so the same key can be tried again', async () => {
    await sendGraphQL(createTeam, { name: 'Taken' });
    const rejected = await sendGraphQL(createTeam, { name: 'Taken' }, { key: 'refused' });
    expect(rejected.errors[0]).toMatchObject({ extensions: { code: 'CONFLICT' } });
    expect(await countRecords('refused')).toBe(0);
    await app.database.prisma.team.deleteMany({ where: { name: 'Taken' } });
    expect(await sendGraphQL(createTeam, { name: 'Taken' }, { key: 'refused' })).toMatchObject({
      replayed: null,
      errors: [],
      data: { createTeam: { team: { name: 'Taken' } } },
    });
  });

  it('a mutation whose second field failed continues there when it is repeated, and writes nothing twice', async () => {
    const both =
      'mutation { first: createTeam(input: { name: "First" }) { team { id } } second: createTeam(input: { name: "Second" }) { team { id } } }';
    await sendGraphQL(createTeam, { name: 'Second' });
    const half = await sendGraphQL(both, {}, { key: 'half' });
    expect(half.errors[0]).toMatchObject({ path: ['second'] });
    await app.database.prisma.team.deleteMany({ where: { name: 'Second' } });
    const whole = await sendGraphQL(both, {}, { key: 'half' });
    expect(whole).toMatchObject({ errors: [], replayed: 'true' });
    expect([await countTeams('First'), await countTeams('Second')]).toEqual([1, 1]);
  });

  it('a mutation is completed after a crash between commit and answer, and writes nothing twice', async () => {
    const interrupted = await withTrigger(
      app.database,
      'before update on idempotent_requests',
      'if new.answer is not null then new.answer := null; new.steps := old.steps; new.alive_until := to_timestamp(0); end if; return new;',
      () => sendGraphQL(createTeam, { name: 'Crash' }, { key: 'crash' }),
    );
    const repeated = await sendGraphQL(createTeam, { name: 'Crash' }, { key: 'crash' });
    expect(repeated).toMatchObject({ status: 200, replayed: 'true', text: interrupted.text });
    expect(await countTeams('Crash')).toBe(1);
  });

  it('a repeated run calls the model once', async () => {
    const person = await personIn(app, owner);
    const { data } = await sendGraphQL(
      'mutation { createAssistant(input: { name: "Run" }) { assistant { id } } }',
      {},
      { as: keyOf(person.key) },
    );
    const run = `mutation { runAssistant(input: { assistantId: "${data.createAssistant.assistant.id}", messages: [{ user: "Hi" }] }) { run { text } } }`;
    provider.now(() => ({ text: 'Hello.' }));
    for (const replayed of [null, 'true'])
      expect(await sendGraphQL(run, {}, { key: 'run', as: keyOf(person.key) })).toMatchObject({
        replayed,
        data: { runAssistant: { run: { text: 'Hello.' } } },
      });
    expect(provider.requests).toHaveLength(1);
  });

  it('the same key is a new request after 24 hours', async () => {
    const first = await sendGraphQL(createTeam, { name: 'Day' }, { key: 'day' });
    await app.database.prisma.team.deleteMany({ where: { name: 'Day' } });
    now += 24 * 60 * 60 * 1000;
    expect(await sendGraphQL(createTeam, { name: 'Day' }, { key: 'day' })).toMatchObject({
      status: 200,
      replayed: null,
      text: expect.not.stringMatching(first.text),
    });
  });
});

describe('mutations of a signed-in person with an Idempotency-Key', () => {
  const createKey = 'mutation { createOrganizationKey(input: { name: "Once" }) { key } }';

  it('a repeated mutation returns the same API key, which is never stored in clear text', async () => {
    const session = await signIn(app, owner.administratorId);
    const request: MutationRequest = { key: 'console', as: { cookie: session.cookie } };
    const first = await sendGraphQL(createKey, {}, request);
    expect(first.data.createOrganizationKey.key).toMatch(/^sk_svc_um_/);
    expect(await sendGraphQL(createKey, {}, request)).toMatchObject({
      replayed: 'true',
      text: first.text,
    });
    expect(
      await app.database.prisma.apiKey.count({ where: { organizationId: owner.id, name: 'Once' } }),
    ).toBe(1);
    const [record] = await app.database.prisma.idempotentRequest.findMany({
      where: { key: 'console' },
    });
    const key: string = first.data.createOrganizationKey.key;
    expect(record?.answer).toBeTypeOf('string');
    expect(JSON.stringify(record)).not.toContain(key);
    expect(Buffer.from(record?.answer ?? '', 'base64').toString('latin1')).not.toContain(key);
  });

  it('stored results of transactions are encrypted, and a repetition after a crash returns the same key', async () => {
    const session = await signIn(app, owner.administratorId);
    const request: MutationRequest = { key: 'lost-key', as: { cookie: session.cookie } };
    const interrupted = await withTrigger(
      app.database,
      'before update on idempotent_requests',
      'if new.answer is not null then new.answer := null; new.steps := old.steps; new.alive_until := to_timestamp(0); end if; return new;',
      () => sendGraphQL(createKey, {}, request),
    );
    const [record] = await app.database.prisma.idempotentRequest.findMany({
      where: { key: 'lost-key' },
    });
    const key: string = interrupted.data.createOrganizationKey.key;
    expect(record?.steps.length).toBeGreaterThan(0);
    for (const step of record?.steps ?? [])
      expect(Buffer.from(step).toString('latin1')).not.toContain(key);
    expect((await sendGraphQL(createKey, {}, request)).data.createOrganizationKey.key).toBe(key);
  });

  it('a stored answer is not repeated to a person who has lost the permission', async () => {
    const other = await app.organization();
    const member = await other.member('demoted@idempotency.example');
    const where = { organizationId_userId: { organizationId: other.id, userId: member.id } };
    await app.database.prisma.membership.update({ where, data: { role: 'ADMIN' } });
    const session = await signIn(app, member.id);
    const request: MutationRequest = { key: 'demoted', as: { cookie: session.cookie } };
    expect((await sendGraphQL(createKey, {}, request)).status).toBe(200);
    await app.database.prisma.membership.update({ where, data: { role: 'MEMBER' } });
    const rejected = await sendGraphQL(createKey, {}, request);
    expect(rejected).toMatchObject({
      status: 403,
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
    expect(rejected.text).not.toContain('sk_svc_');
  });

  it('a key without an organization is rejected', async () => {
    const answer = await sendGraphQL(
      'mutation { createUserKey(input: { name: "x" }) { key } }',
      {},
      { key: 'nobody', as: { authorization: '' } as RequestCredential },
    );
    expect(answer.status).not.toBe(200);
  });
});

describe('the Idempotency-Key header', () => {
  it('queries by POST and by GET ignore the Idempotency-Key', async () => {
    const query = '{ teams { nodes { name } } }';
    const first = await sendGraphQL(query, {}, { key: 'query' });
    await sendGraphQL(createTeam, { name: 'Between' });
    const second = await sendGraphQL(query, {}, { key: 'query' });
    expect([first.status, first.replayed, second.replayed]).toEqual([200, null, null]);
    expect(second.text).toContain('Between');
    const response = await fetch(`${server.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { ...keyOf(owner.key), 'idempotency-key': 'two words' },
    });
    expect(response.status).toBe(200);
    expect(await countRecords('query')).toBe(0);
  });

  it.each([
    ['with a space', 'two words'],
    ['of 256 characters', 'x'.repeat(256)],
    ['that is empty', ''],
  ])('an Idempotency-Key %s gets 400 on a mutation', async (_, key) => {
    const answer = await sendGraphQL(createTeam, { name: 'Form' }, { key });
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringMatching(/^Idempotency-Key must be 1 to 255/) }],
    });
    expect(await countTeams('Form')).toBe(0);
  });

  it('an Idempotency-Key gets 400 with an event stream and with a file upload', async () => {
    const stream = await sendGraphQL(
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
          'mutation ($file: Upload!) { uploadAssistantFile(input: { assistantId: "x", file: $file }) { id } }',
        variables: { file: null },
      }),
    );
    form.set('map', '{"0":["variables.file"]}');
    form.set('0', new Blob(['text']), 'a.txt');
    const upload = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...keyOf(owner.key), 'x-requested-with': 'test', 'idempotency-key': 'file' },
      body: form,
    });
    expect(upload.status).toBe(400);
    expect(await upload.text()).toContain(
      'A form with a file takes no Idempotency-Key over GraphQL',
    );
  });

  it('an invalid document with an Idempotency-Key gets the errors of the document', async () => {
    expect(
      (await sendGraphQL('mutation { nothingLikeThis }', {}, { key: 'wrong' })).errors[0].message,
    ).toContain('nothingLikeThis');
    expect((await sendGraphQL('mutation {', {}, { key: 'wrong' })).errors[0].message).toContain(
      'Syntax Error',
    );
    expect(await countRecords('wrong')).toBe(0);
  });
});
