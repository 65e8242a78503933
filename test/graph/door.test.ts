import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
const question = '{"query":"{ __typename }"}';
const answered = { status: 200, body: { data: { __typename: 'Query' } } };
const refused = (status: number, code: string) => ({
  status,
  body: {
    errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code }) }],
  },
});
const get = (parameters: Record<string, string>) =>
  owner.call('GET', `/graphql?${new URLSearchParams(parameters)}`);

describe('the door of the graph', () => {
  it('answers a POST of JSON and a GET, with or without a slash at the end', async () => {
    for (const path of ['/graphql', '/graphql/'])
      expect(await owner.call('POST', path, { query: '{ __typename }' })).toMatchObject(answered);
    expect(await get({ query: '{ __typename }' })).toMatchObject(answered);
    expect(
      await get({
        query: 'query A { __typename } query B { name: __typename }',
        operationName: 'A',
        variables: '{}',
        extensions: '{}',
      }),
    ).toMatchObject(answered);
  });

  it('changes nothing by GET', async () => {
    const teams = () => app.database.prisma.team.count();
    const before = await teams();
    const answer = await get({ query: 'mutation { createTeam(name: "By address") { id } }' });
    expect(answer).toMatchObject(refused(405, 'METHOD_NOT_ALLOWED'));
    expect(answer.headers.get('allow')).toBe('POST');
    expect(await teams()).toBe(before);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    'does not know %s, and says what it knows',
    async (method) => {
      const answer = await owner.call(method, '/graphql');
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, POST');
    },
  );

  it('refuses several questions in one body', async () => {
    const answer = await owner.call('POST', '/graphql', [
      { query: '{ __typename }' },
      { query: '{ __typename }' },
    ]);
    expect(answer).toMatchObject(refused(400, 'BAD_INPUT'));
  });

  it('takes its question from the body of a POST, not from the address', async () => {
    const answer = await owner.call('POST', '/graphql?query=%7B__typename%7D', {});
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'query is required' }] },
    });
  });

  it('names all that is wrong with the form at once', async () => {
    const answer = await owner.call('POST', '/graphql', {
      query: 1,
      operationName: [],
      variables: 'x',
      extensions: 3,
    });
    expect(answer.body).toEqual({
      errors: [
        {
          message:
            'query must be a string; operationName must be a string; variables must be an object; extensions must be an object',
          extensions: expect.objectContaining({ code: 'BAD_INPUT' }),
        },
      ],
    });
  });

  it('takes unknown parameters and unknown variables without a word', async () => {
    expect(
      await owner.call('POST', '/graphql', {
        query: '{ __typename }',
        variables: { unknown: 1 },
        id: 7,
      }),
    ).toMatchObject(answered);
    const polluting =
      '{"query":"{ __typename }","variables":{"__proto__":{"x":1}},"__proto__":{"query":"{ teams { id } }"}}';
    expect(await app.request('POST', '/graphql', { headers: json, body: polluting })).toMatchObject(
      answered,
    );
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/graphql',
    'application/graphql+json',
    'application/jsonp',
  ])('refuses a body of %s', async (type) => {
    expect(
      await app.request('POST', '/graphql', { headers: { 'content-type': type }, body: question }),
    ).toMatchObject(refused(415, 'UNSUPPORTED_MEDIA_TYPE'));
  });

  it('reads a body of one megabyte and no byte more', async () => {
    const bodyOf = (bytes: number) =>
      `${question.slice(0, -1)},"x":"${'x'.repeat(bytes - question.length - 7)}"}`;
    expect(
      await app.request('POST', '/graphql', { headers: json, body: bodyOf(1_048_576) }),
    ).toMatchObject(answered);
    expect(
      await app.request('POST', '/graphql', { headers: json, body: bodyOf(1_048_577) }),
    ).toMatchObject(refused(413, 'PAYLOAD_TOO_LARGE'));
  });

  it('has no address below it that answers by itself', async () => {
    for (const path of [
      '/graphql/health',
      '/graphql/yoga',
      '/health',
      '/graphql/graphiql-0000000000000000.js',
    ]) {
      expect({ path, status: (await app.request('GET', path)).status }).toEqual({
        path,
        status: 404,
      });
    }
    expect(await app.request('GET', '/graphql?x=/health')).toMatchObject(refused(400, 'BAD_INPUT'));
  });
});

describe('every answer of the door', () => {
  it.each([
    ['a success', () => owner.call('POST', '/graphql', { query: '{ __typename }' })],
    ['a fault in the query', () => owner.call('POST', '/graphql', { query: '{' })],
    ['a wrong form', () => owner.call('POST', '/graphql', [])],
    ['a mutation by GET', () => get({ query: 'mutation { __typename }' })],
  ])('to a key carries its limit, a request id, and is not kept: %s', async (_, call) => {
    const { headers } = await call();
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      expect(headers.get(name)).toMatch(/^\d+$/);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toMatch(/^application\/json; charset=utf-8$/);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('to a wrong key is 401 before anything else is looked at', async () => {
    for (const key of ['wrong', 'sk_svc_um_wrong', `${owner.key}x`]) {
      const answer = await app.callerWith(key)('POST', '/graphql', '{');
      expect(answer).toMatchObject(refused(401, 'UNAUTHENTICATED'));
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('without a key is 401’s code at the field that needs one', async () => {
    const answer = await app.request('POST', '/graphql', {
      headers: json,
      body: '{"query":"{ __typename teams { id } }"}',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { errors: [{ path: ['teams'], extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });

  it('over the limit is 429 with the time to wait', async () => {
    const limited = await testApp({ ORGANIZATION_KEY_LIMIT: '1' });
    const { call } = await limited.organization();
    await call('POST', '/graphql', { query: '{ __typename }' });
    const answer = await call('POST', '/graphql', { query: '{ __typename }' });
    expect(answer).toMatchObject(refused(429, 'RATE_LIMITED'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    await limited.close();
  });

  it('counts under one name in the metrics, whatever clients call their operations', async () => {
    await owner.call('POST', '/graphql', {
      query: 'query ChosenByTheClient { __typename }',
      operationName: 'ChosenByTheClient',
    });
    expect(app.logLines.join('')).not.toContain('ChosenByTheClient');
    expect(app.logLines.join('')).toContain('"operation":"graphql"');
  });
});
