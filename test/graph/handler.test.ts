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
const body = '{"query":"{ __typename }"}';
const success = { status: 200, body: { data: { __typename: 'Query' } } };
const failure = (status: number, code: string) => ({
  status,
  body: {
    errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code }) }],
  },
});
const get = (parameters: Record<string, string>) =>
  owner.call('GET', `/graphql?${new URLSearchParams(parameters)}`);

describe('the GraphQL endpoint', () => {
  it('POST with JSON and GET work with and without a trailing slash', async () => {
    for (const path of ['/graphql', '/graphql/'])
      expect(await owner.call('POST', path, { query: '{ __typename }' })).toMatchObject(success);
    expect(await get({ query: '{ __typename }' })).toMatchObject(success);
    expect(
      await get({
        query: 'query A { __typename } query B { name: __typename }',
        operationName: 'A',
        variables: '{}',
        extensions: '{}',
      }),
    ).toMatchObject(success);
  });

  it('a mutation by GET is rejected and changes nothing', async () => {
    const teams = () => app.database.prisma.team.count();
    const before = await teams();
    const response = await get({
      query: 'mutation { createTeam(input: { name: "By address" }) { team { id } } }',
    });
    expect(response).toMatchObject(failure(405, 'METHOD_NOT_ALLOWED'));
    expect(response.headers.get('allow')).toBe('POST');
    expect(await teams()).toBe(before);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    'the method %s is rejected with the list of allowed methods',
    async (method) => {
      const response = await owner.call(method, '/graphql');
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, POST');
    },
  );

  it('several operations in one body are rejected', async () => {
    const response = await owner.call('POST', '/graphql', [
      { query: '{ __typename }' },
      { query: '{ __typename }' },
    ]);
    expect(response).toMatchObject(failure(400, 'BAD_INPUT'));
  });

  it.each([
    [
      { query: 'query A { __typename } query B { __typename }' },
      'REQUIRED',
      'operationName is required, because query has several operations',
    ],
    [
      { query: 'query A { __typename }', operationName: 'secret' },
      'UNKNOWN_VALUE',
      'operationName must be the name of an operation in query',
    ],
  ])(
    '%j names the parameter that does not determine an operation',
    async (request, code, message) => {
      for (const response of [await owner.call('POST', '/graphql', request), await get(request)])
        expect(response.body).toMatchObject({
          errors: [
            {
              message,
              extensions: {
                code: 'BAD_INPUT',
                errors: [{ path: ['operationName'], code, message }],
              },
            },
          ],
        });
    },
  );

  it('a document without an operation is rejected with what it lacks', async () => {
    const response = await get({ query: 'fragment A on Query { __typename }' });
    expect(response.body).toMatchObject({
      errors: [{ message: 'query must have an operation', extensions: { code: 'BAD_INPUT' } }],
    });
  });

  it('the operation of a POST is read from the body, not from the URL', async () => {
    const response = await owner.call('POST', '/graphql?query=%7B__typename%7D', {});
    expect(response).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'query is required' }] },
    });
  });

  it('all invalid parameters are reported at once', async () => {
    const response = await owner.call('POST', '/graphql', {
      query: 1,
      operationName: [],
      variables: 'x',
      extensions: 3,
    });
    expect(response.body).toEqual({
      errors: [
        {
          message:
            'query must be a string; operationName must be a string; variables must be an object; extensions must be an object',
          extensions: expect.objectContaining({ code: 'BAD_INPUT' }),
        },
      ],
    });
  });

  it('unknown parameters and unknown variables are ignored', async () => {
    expect(
      await owner.call('POST', '/graphql', {
        query: '{ __typename }',
        variables: { unknown: 1 },
        id: 7,
      }),
    ).toMatchObject(success);
    const polluting =
      '{"query":"{ __typename }","variables":{"__proto__":{"x":1}},"__proto__":{"query":"{ teams { nodes { id } } }"}}';
    expect(await app.request('POST', '/graphql', { headers: json, body: polluting })).toMatchObject(
      success,
    );
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/graphql',
    'application/graphql+json',
    'application/jsonp',
  ])('a body of type %s is rejected', async (type) => {
    expect(
      await app.request('POST', '/graphql', { headers: { 'content-type': type }, body: body }),
    ).toMatchObject(failure(415, 'UNSUPPORTED_MEDIA_TYPE'));
  });

  it('a body of one megabyte is read, and a larger one is rejected', async () => {
    const bodyOf = (bytes: number) =>
      `${body.slice(0, -1)},"x":"${'x'.repeat(bytes - body.length - 7)}"}`;
    expect(
      await app.request('POST', '/graphql', { headers: json, body: bodyOf(1_048_576) }),
    ).toMatchObject(success);
    expect(
      await app.request('POST', '/graphql', { headers: json, body: bodyOf(1_048_577) }),
    ).toMatchObject(failure(413, 'PAYLOAD_TOO_LARGE'));
  });

  it('no other path below /graphql responds', async () => {
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
    expect(await app.request('GET', '/graphql?x=/health')).toMatchObject(failure(400, 'BAD_INPUT'));
  });
});

describe('GraphQL responses', () => {
  it.each([
    ['a success', () => owner.call('POST', '/graphql', { query: '{ __typename }' })],
    ['a fault in the query', () => owner.call('POST', '/graphql', { query: '{' })],
    ['a wrong form', () => owner.call('POST', '/graphql', [])],
    ['a mutation by GET', () => get({ query: 'mutation { __typename }' })],
  ])(
    'a response to a key has rate limit headers and a request id, and is not cached: %s',
    async (_, call) => {
      const { headers } = await call();
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
        expect(headers.get(name)).toMatch(/^\d+$/);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-type')).toMatch(/^application\/json; charset=utf-8$/);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  it('a request with an invalid key gets 401 before anything else is checked', async () => {
    for (const key of ['wrong', 'sk_svc_um_wrong', `${owner.key}x`]) {
      const response = await app.callerWith(key)('POST', '/graphql', '{');
      expect(response).toMatchObject(failure(401, 'UNAUTHENTICATED'));
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('a field that needs a key returns UNAUTHENTICATED without one', async () => {
    const response = await app.request('POST', '/graphql', {
      headers: json,
      body: '{"query":"{ __typename teams { nodes { id } } }"}',
    });
    expect(response).toMatchObject({
      status: 200,
      body: { errors: [{ path: ['teams'], extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });

  it('a request over the rate limit gets 429 with Retry-After', async () => {
    const limited = await testApp({ ORGANIZATION_KEY_LIMIT: '1' });
    const { call } = await limited.organization();
    await call('POST', '/graphql', { query: '{ __typename }' });
    const response = await call('POST', '/graphql', { query: '{ __typename }' });
    expect(response).toMatchObject(failure(429, 'RATE_LIMITED'));
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    await limited.close();
  });

  it('metrics and log use one operation name, whatever name the client chose', async () => {
    await owner.call('POST', '/graphql', {
      query: 'query ChosenByTheClient { __typename }',
      operationName: 'ChosenByTheClient',
    });
    expect(app.logLines.join('')).not.toContain('ChosenByTheClient');
    expect(app.logLines.join('')).toContain('"operation":"graphql"');
  });
});
