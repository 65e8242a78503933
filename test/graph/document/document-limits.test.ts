import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphLimits } from '../../../src/graph/document/limits.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { watchStatements } from '../../support/statements.ts';

let app: TestApp;
let key: string;
const database = watchStatements();
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  key = (await app.organization()).key;
});
afterAll(async () => {
  database.stop();
  await app.close();
});

type GraphQLRequest = {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
};

async function sendRequest(request: GraphQLRequest) {
  const send = () =>
    app.callerWith(key)('POST', '/graphql', request, {
      accept: 'application/graphql-response+json',
    });
  const { result, statements } = await database.during(send);
  return { status: result.status, body: result.body, statements: statements.length };
}

const rejection = (message: unknown) => ({
  status: 400,
  body: { errors: [{ message, extensions: expect.objectContaining({ code: 'BAD_INPUT' }) }] },
  statements: 0,
});
const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** Each limit, with a document of a given size. */
const limits: { what: string; limit: number; build: (size: number) => string; message: string }[] =
  [
    {
      what: 'aliases',
      limit: graphLimits.aliases,
      build: (size) => `{ teams { nodes { ${repeat(size, (i) => `a${i}: id`)} } } }`,
      message: 'The document has more than 30 aliases',
    },
    {
      what: 'directives',
      limit: graphLimits.directives,
      build: (size) => `{ teams { nodes { id ${repeat(size, () => 'name @skip(if: false)')} } } }`,
      message: 'The document has more than 30 directives',
    },
    {
      what: 'root fields',
      limit: graphLimits.rootFields,
      build: (size) => `{ ${repeat(size, () => 'teams { nodes { id } }')} }`,
      message: 'The document has more than 20 root fields',
    },
    {
      what: 'root fields behind fragments',
      limit: graphLimits.rootFields,
      build: (size) =>
        `{ ${repeat(size / 2, () => '...Two')} ${size % 2 ? '... { __typename }' : ''} } fragment Two on Query { teams { nodes { id } } __typename }`,
      message: 'The document has more than 20 root fields',
    },
    {
      what: 'fields',
      limit: graphLimits.fieldsWritten - 2,
      build: (size) => `{ teams { nodes { ${repeat(size, () => 'id')} } } }`,
      message: 'The document has more than 400 fields',
    },
    {
      what: 'levels of introspection',
      limit: graphLimits.introspectionDepth - 2,
      build: (size) =>
        `{ __type(name: "Team") { ${repeat(size, () => 'ofType {')} name ${'}'.repeat(size)} } }`,
      message: 'The document has more than 16 levels of introspection',
    },
    {
      what: 'characters',
      limit: graphLimits.documentCharacters,
      build: (size) =>
        `{ teams { nodes { id } } }${' '.repeat(size - '{ teams { nodes { id } } }'.length)}`,
      message: 'query is longer than 20000 characters',
    },
  ];

describe('document limits', () => {
  it.each(limits)(
    'a document may have as many $what as the limit allows, and not one more',
    async ({ limit, build, message }) => {
      expect(await sendRequest({ query: build(limit) })).toMatchObject({
        status: 200,
        body: { data: expect.anything() },
      });
      expect(await sendRequest({ query: build(limit + 1) })).toEqual(rejection(message));
    },
  );

  it('a document may contain the complete introspection query of tools', async () => {
    const options = {
      descriptions: true,
      schemaDescription: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
      oneOf: true,
    };
    expect(await sendRequest({ query: getIntrospectionQuery(options) })).toMatchObject({
      status: 200,
      statements: 0,
    });
  });

  it('a document may request a full page with all fields', async () => {
    const query =
      '{ users(pageSize: 100) { totalCount page pageSize totalPages nodes { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } } }';
    expect(await sendRequest({ query })).toMatchObject({ status: 200 });
  });
});

describe('rejections without a database statement', () => {
  const doubling = (links: number, on: string, end: string) =>
    `${repeat(links, (i) => `fragment F${i} on ${on} { ...F${i + 1} ...F${i + 1} }`)} fragment F${links} on ${on} { ${end} }`;

  it.each([
    [
      'with more tokens than the limit',
      `{ users(search: [${repeat(graphLimits.tokens, () => '1')}]) { totalCount } }`,
      /more that 2000 tokens/,
    ],
    [
      'that exceeds the depth limit',
      `{ ${repeat(10, () => 'teams {')} id ${'}'.repeat(11)}`,
      'The document has more than 10 levels',
    ],
    [
      'that exceeds the depth limit through fragments',
      `{ teams { nodes { ...F0 } } } ${repeat(9, (i) => `fragment F${i} on Team { teams { ...F${i + 1} } }`)} fragment F9 on Team { id }`,
      /levels/,
    ],
    [
      'whose fragments double at every link',
      `{ teams { nodes { ...F0 } } } ${doubling(40, 'Team', 'id')}`,
      /1000 fields once its fragments are unfolded/,
    ],
    [
      'whose fragments double at every link of an introspection',
      `{ __schema { types { ...F0 } } } ${doubling(40, '__Type', 'name')}`,
      /fields once its fragments are unfolded/,
    ],
    [
      'with a fragment cycle',
      '{ teams { nodes { ...A } } } fragment A on Team { ...B } fragment B on Team { id ...A }',
      'Cannot spread fragment "A" within itself via "B".',
    ],
    [
      'that nests too many introspection lists',
      '{ __schema { types { fields { type { fields { name } } } } } }',
      /lists of introspection/,
    ],
    [
      'that nests them through fragments',
      '{ __schema { types { ...F } } } fragment F on __Type { fields { type { ...G } } } fragment G on __Type { possibleTypes { name } }',
      /lists of introspection/,
    ],
    [
      'whose cost is in an operation that is not the first',
      `query Light { __typename } query Heavy { ${repeat(20, (i) => `a${i}: users(pageSize: 100) { nodes { id email teams { id name } } }`)} }`,
      /10000 values/,
    ],
    [
      'that exceeds a limit in an operation that is not executed',
      `query Heavy { __typename } query Deep { ${repeat(10, () => 'teams {')} id ${'}'.repeat(11)}`,
      /levels/,
    ],
    [
      'with hundreds of unknown fields',
      `{ teams { nodes { ${repeat(398, (i) => `unknown${i}`)} } } }`,
      /Cannot query field/,
    ],
    [
      'with a subscription for a client that does not accept a stream',
      'subscription { assistantRun(input: { assistantId: "a", messages: [{ user: "b" }] }) { __typename } }',
      'A subscription is answered with an event stream: accept text/event-stream',
    ],
  ])('a document %s is rejected without a statement', async (_, query, message) => {
    const operationName = query.includes('Heavy') ? 'Heavy' : undefined;
    const { status, body, statements } = await sendRequest({
      query,
      ...(operationName ? { operationName } : {}),
    });
    expect({ status, statements }).toEqual({ status: 400, statements: 0 });
    expect(body['data']).toBeUndefined();
    const [first, ...others] = [body['errors']].flat();
    expect(first).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code: 'BAD_INPUT' },
    });
    expect(others.length).toBeLessThanOrEqual(graphLimits.errorsReportedMax);
  });
});

describe('the cost limit', () => {
  const page =
    'query Page($size: Int!) { teams { nodes { users(pageSize: $size) { nodes { id email teams { id name } } } } } }';

  it('the cost depends on the variables of each request, also for a cached document', async () => {
    expect(await sendRequest({ query: page, variables: { size: 5 } })).toMatchObject({
      status: 200,
    });
    expect(await sendRequest({ query: page, variables: { size: 100 } })).toEqual(
      rejection(
        'The answer could hold more than 10000 values; ask for fewer fields or smaller pages',
      ),
    );
    expect(await sendRequest({ query: page, variables: { size: 5 } })).toMatchObject({
      status: 200,
    });
  });

  it('the cost includes the default of a variable and of an argument', async () => {
    expect(await sendRequest({ query: page.replace('Int!', 'Int! = 100') })).toEqual(
      rejection(expect.stringContaining('10000 values')),
    );
    expect(
      await sendRequest({
        query: page.replace('($size: Int!)', '').replace('(pageSize: $size)', ''),
      }),
    ).toMatchObject({ status: 200 });
  });
});

describe('variables', () => {
  it('a variable of nearly a megabyte is rejected with a short response and without a statement', async () => {
    const query = 'query Search($text: String) { users(search: $text) { totalCount } }';
    for (const [text, fault] of [
      ['x'.repeat(1_000_000), 'but has more'],
      [Array.from({ length: 200_000 }, () => 1), 'not a list'],
    ]) {
      expect(await sendRequest({ query, variables: { text } })).toEqual(
        rejection(`$text must be a string of at most 200 characters, ${fault}`),
      );
    }
  });
});
