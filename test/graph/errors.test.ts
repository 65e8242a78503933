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

describe('error responses', () => {
  it.each([
    ['of syntax', { query: '{ teams' }],
    ['of an empty document', { query: ' # nothing' }],
    ['of validation', { query: '{ nothing teams }' }],
    ['of an unknown operation', { query: 'query A { __typename }', operationName: 'B' }],
    ['of two operations and no name', { query: 'query A { __typename } query B { __typename }' }],
    [
      'of a variable',
      {
        query: 'query A($size: Int!) { users(pageSize: $size) { totalCount } }',
        variables: { size: 101 },
      },
    ],
    [
      'of a variable that is null where its argument is not',
      {
        query: 'query A($days: Int = 1) { expiringKeys(days: $days) { id } }',
        variables: { days: null },
      },
    ],
    [
      'of a variable that only execution finds to be null',
      {
        query: 'query A($id: ID = "x") { team(teamId: $id) { id } }',
        variables: { id: null },
      },
    ],
    ['of an input', { query: 'mutation { createUser(input: { email: "nobody" }) { isNewUser } }' }],
    ['of a resource', { query: '{ team(teamId: "unknown") { id } }' }],
    ['of a permission', { query: '{ myApiKeys { totalCount } }' }],
    ['of the form of the request', { query: 1 }],
  ])(
    'an error %s has a code of the catalogue, the request id, the invalid values or a reason, and nothing else',
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
          ...(error.extensions.code === 'FORBIDDEN' ? ['reason'] : []),
        ]);
        expect(['message', 'locations', 'path', 'extensions']).toEqual(
          expect.arrayContaining(Object.keys(error)),
        );
      }
    },
  );

  it('an error that a rule throws for the client is sent with its code and message', async () => {
    expect((await post({ query: '{ team(teamId: "unknown") { id } }' })).body).toEqual({
      data: { team: null },
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

  it('null in a variable whose default fills a required argument is refused before anything is changed', async () => {
    const query = `mutation A($id: ID = "x") {
      createTeam(input: { name: "Before a null" }) { team { id } }
      deleteTeam(input: { teamId: $id }) { deletedTeamId }
    }`;
    const { data, errors } = await app.graph(owner.key, query, { id: null });
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        message: '$id must be a string, not null',
        extensions: {
          code: 'BAD_INPUT',
          errors: [{ path: ['input', 'teamId'], code: 'NOT_NULLABLE' }],
        },
      },
    ]);
    expect(await app.database.prisma.team.count({ where: { name: 'Before a null' } })).toBe(0);
    expect(app.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('an error in a well-formed request has status 200 for application/json, and 400 for application/graphql-response+json', async () => {
    for (const query of [
      '{',
      '{ nothing }',
      'query A($size: Int!) { users(pageSize: $size) { totalCount } }',
    ]) {
      expect((await post({ query }, { accept: 'application/json' })).status).toBe(200);
      expect((await post({ query })).status).toBe(400);
    }
  });
});

describe('values of the request', () => {
  const secret = 'hunter2-hunter2';

  it.each([
    ['a body that is not JSON', `{"query":"{ teams { nodes { id } } }","password":"${secret}`],
    [
      'a body that is a list',
      JSON.stringify([{ query: '{ teams { nodes { id } } }', password: secret }]),
    ],
    ['a query of another type', JSON.stringify({ query: [secret] })],
    ['an unknown parameter', JSON.stringify({ [secret]: secret })],
    ['variables that are a string', JSON.stringify({ query: '{ __typename }', variables: secret })],
    ['a string instead of a query', JSON.stringify({ query: `"${secret}"` })],
    [
      'a string in place of a name',
      JSON.stringify({ query: `{ users(search: "a" "${secret}") { totalCount } }` }),
    ],
    [
      'a block string in place of a name',
      JSON.stringify({ query: `{ users(search: "a" """${secret}\n${secret}""") { totalCount } }` }),
    ],
    [
      'a string in place of a number',
      JSON.stringify({ query: `{ users(pageSize: "${secret}") { totalCount } }` }),
    ],
    [
      'an object in place of a string',
      JSON.stringify({ query: `{ users(search: {password: "${secret}"}) { totalCount } }` }),
    ],
    [
      'a string in place of a condition',
      JSON.stringify({ query: `{ teams { nodes { id @skip(if: "${secret}") } } }` }),
    ],
    [
      'a variable of another type',
      JSON.stringify({
        query: 'query A($size: Int!) { users(pageSize: $size) { totalCount } }',
        variables: { size: secret },
      }),
    ],
    [
      'a variable that is an object',
      JSON.stringify({
        query: 'query A($flag: Boolean!) { teams { nodes { id @skip(if: $flag) } } }',
        variables: { flag: { [secret]: secret } },
      }),
    ],
  ])('no value is repeated in the error for %s', async (_, body) => {
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

  it('no value is repeated in the error for variables in a URL that are not JSON', async () => {
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

describe('unexpected errors', () => {
  it('an unexpected error is reported only by its request id and logged in full, without SQL, files or stacks in the response', async () => {
    const broken = await testApp();
    const { key } = await broken.organization();
    await broken.database.prisma.$executeRawUnsafe('alter table teams rename to teams_elsewhere');
    const { answer, errors } = await broken.graph(key, '{ __typename teams { nodes { id } } }');
    const requestId = answer.headers.get('x-request-id');
    expect(answer.body).toEqual({
      data: { __typename: 'Query', teams: null },
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
