import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../src/platform/errors.ts';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

const modern = { accept: 'application/graphql-response+json' };
const post = (body: unknown, headers: Record<string, string> = modern) =>
  owner.call('POST', '/graphql', body, headers);
const faultsOf = (
  body: Record<string, unknown>,
): { message: string; extensions: { code: string; requestId: string; errors?: unknown } }[] =>
  [body['errors']].flat().map(Object);

describe('every error', () => {
  it.each([
    ['of syntax', { query: '{ teams' }],
    ['of an empty question', { query: ' # nothing' }],
    ['of validation', { query: '{ nothing teams }' }],
    ['of an unknown operation', { query: 'query A { __typename }', operationName: 'B' }],
    ['of two operations and no name', { query: 'query A { __typename } query B { __typename }' }],
    [
      'of a variable',
      {
        query: 'query A($size: PageSize!) { users(pageSize: $size) { total } }',
        variables: { size: 101 },
      },
    ],
    [
      'of a variable that is null where its argument is not',
      {
        query: 'query A($size: PageSize = 1) { users(pageSize: $size) { total } }',
        variables: { size: null },
      },
    ],
    [
      'of a variable that only execution finds to be null',
      {
        query: 'query A($id: ResourceId = "x") { team(teamId: $id) { id } }',
        variables: { id: null },
      },
    ],
    ['of an input', { query: 'mutation { createUser(email: "nobody") { isNewUser } }' }],
    ['of a resource', { query: '{ team(teamId: "unknown") { id } }' }],
    ['of a permission', { query: '{ myApiKeys { total } }' }],
    ['of the form of the request', { query: 1 }],
  ])(
    '%s carries a code of the catalogue, the request id, the wrong values of the input, and nothing else',
    async (_, body) => {
      const answer = await post(body);
      const errors = faultsOf(answer.body);
      expect(errors.length).toBeGreaterThan(0);
      for (const error of errors) {
        expect(Object.keys(errorCatalogue)).toContain(error.extensions.code);
        expect(error.extensions.requestId).toBe(answer.headers.get('x-request-id'));
        expect(Object.keys(error.extensions)).toEqual([
          'code',
          'requestId',
          ...(error.extensions.code === 'BAD_INPUT' ? ['errors'] : []),
        ]);
        expect(['message', 'locations', 'path', 'extensions']).toEqual(
          expect.arrayContaining(Object.keys(error)),
        );
      }
    },
  );

  it('that a rule gives its sender passes with its code and message', async () => {
    expect((await post({ query: '{ team(teamId: "unknown") { id } }' })).body).toEqual({
      data: null,
      errors: [
        {
          message: 'Team not found',
          locations: [{ line: 1, column: 3 }],
          path: ['team'],
          extensions: { code: 'NOT_FOUND', requestId: expect.any(String) },
        },
      ],
    });
  });

  it('that execution finds in what was sent is the sender’s, and nobody is called', async () => {
    const query = 'query A($id: ResourceId = "x") { team(teamId: $id) { id } }';
    const { errors } = await app.graph(owner.key, query, { id: null });
    expect(errors).toMatchObject([
      {
        message: 'Argument "teamId" of non-null type "ResourceId!" must not be null.',
        extensions: { code: 'BAD_INPUT' },
      },
    ]);
    expect(app.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('in a well-formed request is 200 for who accepts application/json only, and 400 for who knows better', async () => {
    for (const query of [
      '{',
      '{ nothing }',
      'query A($size: PageSize!) { users(pageSize: $size) { total } }',
    ]) {
      expect((await post({ query }, { accept: 'application/json' })).status).toBe(200);
      expect((await post({ query })).status).toBe(400);
    }
  });
});

describe('of what was sent', () => {
  const secret = 'hunter2-hunter2';

  it.each([
    ['a body that is no JSON', `{"query":"{ teams { id } }","password":"${secret}`],
    ['a body that is a list', JSON.stringify([{ query: '{ teams { id } }', password: secret }])],
    ['a query of another type', JSON.stringify({ query: [secret] })],
    ['a parameter nobody knows', JSON.stringify({ [secret]: secret })],
    ['variables that are a text', JSON.stringify({ query: '{ __typename }', variables: secret })],
    ['a key instead of a query', JSON.stringify({ query: `"${secret}"` })],
    [
      'a text where a name belongs',
      JSON.stringify({ query: `{ users(search: "a" "${secret}") { total } }` }),
    ],
    [
      'a block text where a name belongs',
      JSON.stringify({ query: `{ users(search: "a" """${secret}\n${secret}""") { total } }` }),
    ],
    [
      'a text for a number',
      JSON.stringify({ query: `{ users(pageSize: "${secret}") { total } }` }),
    ],
    [
      'a text for an object',
      JSON.stringify({ query: `{ users(search: {password: "${secret}"}) { total } }` }),
    ],
    [
      'a text for a condition',
      JSON.stringify({ query: `{ teams { id @skip(if: "${secret}") } }` }),
    ],
    [
      'a variable of another type',
      JSON.stringify({
        query: 'query A($size: PageSize!) { users(pageSize: $size) { total } }',
        variables: { size: secret },
      }),
    ],
    [
      'a variable that is an object',
      JSON.stringify({
        query: 'query A($flag: Boolean!) { teams { id @skip(if: $flag) } }',
        variables: { flag: { [secret]: secret } },
      }),
    ],
  ])('nothing comes back from %s', async (_, body) => {
    for (const headers of [modern, { accept: 'application/json' }]) {
      const answer = await app.request('POST', '/graphql', {
        headers: {
          ...headers,
          authorization: `Bearer ${owner.key}`,
          'content-type': 'application/json',
        },
        body,
      });
      expect(faultsOf(answer.body)[0]).toMatchObject({ extensions: { code: 'BAD_INPUT' } });
      expect(answer.text).not.toContain(secret);
    }
  });

  it('nothing comes back from variables in an address that are no JSON', async () => {
    const answer = await app.request('GET', `/graphql?query={__typename}&variables=${secret}`, {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            message: 'variables is not valid JSON at position 0',
            extensions: { code: 'BAD_INPUT' },
          },
        ],
      },
    });
  });
});

describe('an error that nobody expected', () => {
  it('is told by its request id, logged whole, and says nothing of SQL, files or stacks', async () => {
    const broken = await testApp();
    const { key } = await broken.organization();
    await broken.database.prisma.$executeRawUnsafe('alter table teams rename to teams_elsewhere');
    const { answer, errors } = await broken.graph(key, '{ __typename teams { id } }');
    const requestId = answer.headers.get('x-request-id');
    expect(answer.body).toEqual({
      data: null,
      errors: [
        {
          message: `Internal error; request id ${requestId}`,
          locations: [{ line: 1, column: 14 }],
          path: ['teams'],
          extensions: { code: 'INTERNAL', requestId },
        },
      ],
    });
    expect(errors).toHaveLength(1);
    const logged = broken.logLines
      .map((line): { level: string; requestId: string; err?: { message: string } } =>
        JSON.parse(line),
      )
      .find(({ level }) => level === 'error');
    expect(logged).toMatchObject({ requestId, err: { message: expect.stringContaining('teams') } });
    await broken.close();
  });
});
