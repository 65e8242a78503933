import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphLimits } from '../../src/graph/limits.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { watchStatements } from '../support/statements.ts';

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

type Question = { query: string; variables?: Record<string, unknown>; operationName?: string };

async function ask(question: Question) {
  const send = () =>
    app.callerWith(key)('POST', '/graphql', question, {
      accept: 'application/graphql-response+json',
    });
  const { result, statements } = await database.during(send);
  return { status: result.status, body: result.body, statements: statements.length };
}

const refusal = (message: unknown) => ({
  status: 400,
  body: { errors: [{ message, extensions: expect.objectContaining({ code: 'BAD_INPUT' }) }] },
  statements: 0,
});
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

/** As much as is allowed, and one more. */
const edges: { what: string; limit: number; build: (size: number) => string; message: string }[] = [
  {
    what: 'aliases',
    limit: graphLimits.aliases,
    build: (size) => `{ teams { ${times(size, (i) => `a${i}: id`)} } }`,
    message: 'The document has more than 30 aliases',
  },
  {
    what: 'directives',
    limit: graphLimits.directives,
    build: (size) => `{ teams { id ${times(size, () => 'name @skip(if: false)')} } }`,
    message: 'The document has more than 30 directives',
  },
  {
    what: 'root fields',
    limit: graphLimits.rootFields,
    build: (size) => `{ ${times(size, () => 'teams { id }')} }`,
    message: 'The document has more than 20 root fields',
  },
  {
    what: 'root fields behind fragments',
    limit: graphLimits.rootFields,
    build: (size) =>
      `{ ${times(size / 2, () => '...Two')} ${size % 2 ? '... { __typename }' : ''} } fragment Two on Query { teams { id } __typename }`,
    message: 'The document has more than 20 root fields',
  },
  {
    what: 'fields',
    limit: graphLimits.fieldsWritten - 1,
    build: (size) => `{ teams { ${times(size, () => 'id')} } }`,
    message: 'The document has more than 400 fields',
  },
  {
    what: 'levels of introspection',
    limit: graphLimits.introspectionDepth - 2,
    build: (size) =>
      `{ __type(name: "Team") { ${times(size, () => 'ofType {')} name ${'}'.repeat(size)} } }`,
    message: 'The document has more than 16 levels of introspection',
  },
  {
    what: 'characters',
    limit: graphLimits.documentCharacters,
    build: (size) => `{ teams { id } }${' '.repeat(size - 16)}`,
    message: 'query is longer than 20000 characters',
  },
];

describe('a document', () => {
  it.each(edges)(
    'may have as many $what as the limit says, and not one more',
    async ({ limit, build, message }) => {
      expect(await ask({ query: build(limit) })).toMatchObject({
        status: 200,
        body: { data: expect.anything() },
      });
      expect(await ask({ query: build(limit + 1) })).toEqual(refusal(message));
    },
  );

  it('may introspect everything that tools ask for', async () => {
    const options = {
      descriptions: true,
      schemaDescription: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
      oneOf: true,
    };
    expect(await ask({ query: getIntrospectionQuery(options) })).toMatchObject({
      status: 200,
      statements: 0,
    });
  });

  it('may ask for a full page with everything in it', async () => {
    const query =
      '{ users(pageSize: 100) { total page pageSize totalPages items { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } } }';
    expect(await ask({ query })).toMatchObject({ status: 200 });
  });
});

describe('without one statement, a document is refused', () => {
  const doubling = (links: number, on: string, end: string) =>
    `${times(links, (i) => `fragment F${i} on ${on} { ...F${i + 1} ...F${i + 1} }`)} fragment F${links} on ${on} { ${end} }`;

  it.each([
    [
      'of more tokens than the limit',
      `{ users(search: [${times(graphLimits.tokens, () => '1')}]) { total } }`,
      /more that 2000 tokens/,
    ],
    [
      'that is deeper than the limit',
      `{ ${times(10, () => 'teams {')} id ${'}'.repeat(11)}`,
      'The document has more than 10 levels',
    ],
    [
      'that is deeper than the limit behind fragments',
      `{ teams { ...F0 } } ${times(9, (i) => `fragment F${i} on Team { teams { ...F${i + 1} } }`)} fragment F9 on Team { id }`,
      /levels/,
    ],
    [
      'whose fragments double at every link',
      `{ teams { ...F0 } } ${doubling(40, 'Team', 'id')}`,
      /1000 fields once its fragments are unfolded/,
    ],
    [
      'whose fragments double at every link of an introspection',
      `{ __schema { types { ...F0 } } } ${doubling(40, '__Type', 'name')}`,
      /fields once its fragments are unfolded/,
    ],
    [
      'whose fragments lead back to themselves',
      '{ teams { ...A } } fragment A on Team { ...B } fragment B on Team { id ...A }',
      'Cannot spread fragment "A" within itself via "B".',
    ],
    [
      'that multiplies the lists of an introspection',
      '{ __schema { types { fields { type { fields { name } } } } } }',
      /lists of introspection/,
    ],
    [
      'that hides such lists behind fragments',
      '{ __schema { types { ...F } } } fragment F on __Type { fields { type { ...G } } } fragment G on __Type { possibleTypes { name } }',
      /lists of introspection/,
    ],
    [
      'that hides its weight in an operation that is not the first',
      `query Light { __typename } query Heavy { ${times(20, (i) => `a${i}: users(pageSize: 100) { items { id email teams { id name } } }`)} }`,
      /10000 values/,
    ],
    [
      'that hides an excess in an operation that is not asked for',
      `query Heavy { __typename } query Deep { ${times(10, () => 'teams {')} id ${'}'.repeat(11)}`,
      /levels/,
    ],
    [
      'of hundreds of unknown fields',
      `{ teams { ${times(398, (i) => `unknown${i}`)} } }`,
      /Cannot query field/,
    ],
    [
      'that subscribes without accepting a stream',
      'subscription { assistantRun(assistantId: "a", messages: [{ role: "user", content: "b" }]) { __typename } }',
      'A subscription is answered with an event stream: accept text/event-stream',
    ],
  ])('%s', async (_, query, message) => {
    const operationName = query.includes('Heavy') ? 'Heavy' : undefined;
    const { status, body, statements } = await ask({
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
    expect(others.length).toBeLessThanOrEqual(graphLimits.faultsTold);
  });
});

describe('what an answer may hold', () => {
  const page =
    'query Page($size: PageSize!) { teams { users(pageSize: $size) { items { id email teams { id name } } } } }';

  it('is weighed by the variables of each request, also where the document is known already', async () => {
    expect(await ask({ query: page, variables: { size: 5 } })).toMatchObject({ status: 200 });
    expect(await ask({ query: page, variables: { size: 100 } })).toEqual(
      refusal(
        'The answer could hold more than 10000 values; ask for fewer fields or smaller pages',
      ),
    );
    expect(await ask({ query: page, variables: { size: 5 } })).toMatchObject({ status: 200 });
  });

  it('is weighed by the default of a variable and of an argument', async () => {
    expect(await ask({ query: page.replace('PageSize!', 'PageSize! = 100') })).toEqual(
      refusal(expect.stringContaining('10000 values')),
    );
    expect(
      await ask({ query: page.replace('($size: PageSize!)', '').replace('(pageSize: $size)', '') }),
    ).toMatchObject({ status: 200 });
  });
});

describe('a variable', () => {
  it('of nearly a megabyte is refused with a short answer and without a statement', async () => {
    const query = 'query Search($text: SearchText) { users(search: $text) { total } }';
    for (const [text, fault] of [
      ['x'.repeat(1_000_000), 'but has more'],
      [Array.from({ length: 200_000 }, () => 1), 'not a list'],
    ]) {
      expect(await ask({ query, variables: { text } })).toEqual(
        refusal(`$text must be a string of at most 200 characters, ${fault}`),
      );
    }
  });
});
