import { globSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  getOperationAST,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphLimits } from '../../../src/graph/document/limits.ts';
import { costOf } from '../../../src/graph/document/query-cost.ts';
import { schema } from '../../../src/schema.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { directiveCost, listSizeOf, returnsList } from '../../support/directive-cost.ts';
import { operationFor, rootFields, sampleOf } from '../../support/schema-operations.ts';
import { type ServedApp, serveApp } from '../../support/serve-app.ts';

const sdl = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

function ruleCost(source: string, variables: Record<string, unknown> = {}): number {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation');
  return costOf({ schema, document, operation, variables });
}

const objectTypes = Object.values(sdl.getTypeMap()).filter(
  (type) => isObjectType(type) && !type.name.startsWith('__'),
);
const fieldsOfSdl = objectTypes.flatMap((type) =>
  isObjectType(type)
    ? Object.values(type.getFields()).map((field) => ({
        coordinate: `${type.name}.${field.name}`,
        type,
        field,
      }))
    : [],
);

describe('the cost directives of the schema', () => {
  it.each(
    rootFields.flatMap((root) =>
      ['', 'text'].map((text) => ({
        title: `${root.kind} ${root.name} with ${text ? 'all' : 'only the required'} arguments`,
        source: operationFor(root, { depth: 3 }),
        variables: Object.fromEntries(
          root.inputs
            .filter((input) => text || String(input.type).endsWith('!'))
            .map((input) => [input.name, sampleOf(input, 'text')]),
        ),
      })),
    ),
  )('compute the same cost as the rule for $title', ({ source, variables }) => {
    expect(directiveCost(sdl, source, { variables })).toBe(ruleCost(source, variables));
  });

  it('compute the same cost as the rule for every operation of the console', () => {
    const { definitions } = parse(
      globSync('src/console/web/**/*.graphql')
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n'),
      { noLocation: true },
    );
    // A list whose size is that of an argument has none without the argument.
    const variables = { ids: ['one', 'two'], emails: ['one', 'two'] };
    const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    const costs = definitions.flatMap((operation) => {
      if (operation.kind !== Kind.OPERATION_DEFINITION) return [];
      const document = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] } as const;
      const name = operation.name?.value ?? '';
      return [
        {
          name,
          rule: costOf({ schema, document, operation, variables }),
          directives: directiveCost(sdl, print(document), { operationName: name, variables }),
        },
      ];
    });
    expect(costs.length).toBeGreaterThan(80);
    for (const { name, rule, directives } of costs)
      expect({ name, cost: directives }).toEqual({ name, cost: rule });
  });

  it('give every list of objects a size, its own or that of each field that returns its type', () => {
    const sizeless = fieldsOfSdl
      .filter(({ field }) => returnsList(field) && !isLeafType(getNamedType(field.type)))
      .filter(({ field }) => !listSizeOf(field))
      .filter(({ type, field }) => {
        const sources = fieldsOfSdl.filter((other) => getNamedType(other.field.type) === type);
        return !sources.every((source) =>
          listSizeOf(source.field)?.sizedFields?.includes(field.name),
        );
      });
    expect(sizeless.map(({ coordinate }) => coordinate)).toEqual([]);
  });
});

describe('the cost of a request', () => {
  let app: TestApp;
  let served: ServedApp;
  let owner: TestOrganization;
  beforeAll(async () => {
    app = await testApp();
    served = await serveApp(app);
    owner = await app.organization();
  });
  afterAll(async () => {
    served.close();
    await app.close();
  });

  async function send(
    body: { query: string; variables?: Record<string, unknown> },
    prefer?: string,
  ) {
    const response = await fetch(`${served.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.key}`,
        'content-type': 'application/json',
        ...(prefer === undefined ? {} : { prefer }),
      },
      body: JSON.stringify(body),
    });
    const answer: Record<string, unknown> = Object(await response.json());
    return { answer, applied: response.headers.get('preference-applied') };
  }

  const sized =
    'query ($size: Int = 7) { users(pageSize: $size) { totalCount nodes { id teams { id } } } }';
  it.each([
    ['{ __typename }', {}, 1],
    ['{ organization { name memberCount } }', {}, 3],
    // users, totalCount, nodes, and for each entry id, teams and ten ids of teams.
    [sized, {}, 3 + 7 * 12],
    [sized, { size: 2 }, 3 + 2 * 12],
    ['{ users { edges { cursor node { id } } } }', {}, 2 + 20 * 3],
    ['{ teams { nodes { id } } }', {}, 2 + 10],
    ['{ users(first: 2, pageSize: 9) { nodes { id } } }', {}, 2 + 9],
    [
      '{ teams(last: 3) { ...Ids ...Ids } } fragment Ids on TeamConnection { nodes { id } }',
      {},
      1 + 2 * (1 + 3),
    ],
    [
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Team { name } } }',
      { ids: ['a', 'b'] },
      1 + 2 * 2,
    ],
    ['{ nodes(ids: ["a", "b", "c"]) { id } }', {}, 1 + 3],
    ['{ redemptionMonths { month byBillingStatus { amountEur } } }', {}, 1 + 12 * (2 + 4)],
    ['{ redemptionMonths(months: 2) { month } }', {}, 1 + 2],
    ['{ sponsorshipSummary { seats { used } } }', {}, 1 + 50 + 1],
    [
      'mutation ($users: [NewUserInput!]!) { bulkCreateUsers(input: { users: $users }) { failed results { status } } }',
      { users: [{ email: 'a@a.example' }, { email: 'b@a.example' }] },
      3 + 2,
    ],
  ])(
    'is told on request, as the directives compute it: %s %j',
    async (query, variables, requested) => {
      const { answer, applied } = await send({ query, variables }, 'cost');
      expect(applied).toBe('cost');
      expect(answer['extensions']).toEqual({ cost: { requested, limit: graphLimits.cost } });
      expect(directiveCost(sdl, query, { variables })).toBe(requested);
    },
  );

  it('is told for a compiled document, and for one that is refused for its cost', async () => {
    const query = '{ users(pageSize: 100) { nodes { email } } }';
    for (let times = 0; times < 6; times += 1)
      expect((await send({ query }, 'cost')).answer['extensions']).toEqual({
        cost: { requested: 102, limit: graphLimits.cost },
      });
    const heavy = `{ users(pageSize: 100) { nodes { teams { users(pageSize: 100) { nodes { id } } } } } }`;
    expect(await send({ query: heavy }, 'respond-async, cost')).toMatchObject({
      applied: 'cost',
      answer: {
        errors: [{ extensions: { code: 'BAD_INPUT' } }],
        extensions: { cost: { requested: 2 + 100 * (1 + 10 * 102), limit: graphLimits.cost } },
      },
    });
  });

  it('is neither told without the request nor for a document that is not valid', async () => {
    expect((await send({ query: '{ __typename }' })).answer).toEqual({
      data: { __typename: 'Query' },
    });
    const { answer, applied } = await send({ query: '{ colours }' }, 'cost');
    expect([Object.keys(answer), applied]).toEqual([['errors'], null]);
  });
});
