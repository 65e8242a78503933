import {
  buildSchema,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { DateTime } from '../../src/graph/schema/scalars.ts';
import type { JsonSchema } from '../../src/rest/openapi/document.ts';
import { exampleOf } from '../../src/rest/openapi/example.ts';
import { inputSchema, presentInputSchema } from '../../src/rest/openapi/input-schema.ts';
import { moveNamedSchemas } from '../../src/rest/openapi/named-schemas.ts';
import { responseSchema } from '../../src/rest/openapi/response-schema.ts';
import { rootFields } from '../../src/rest/openapi/selected-fields.ts';
import { nameSelections } from '../../src/rest/openapi/selection-names.ts';

const schema = buildSchema(`
  enum Colour { RED GREEN }
  scalar Unknown
  type Owner { id: ID!, name: String! }
  type Thing { id: ID!, "How it looks." colour: Colour, count: Int!, size: Float, owner: Owner, friends: [Owner], notes: [String!]! }
  type Page { items: [Thing!]!, total: Int!, totalPages: Int! }
  type Query { page: Page!, maybe: Page, thing: Thing, things: [Thing!]!, unknown: Unknown! }
`);

function operationOf(query: string, name: string) {
  const [definition] = parse(query).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('not an operation');
  return { name, roots: rootFields(schema, definition) };
}

/** The body of the first query, and all schemas of the document of these queries. */
function answerTo(...queries: string[]) {
  const operations = queries.map((query, index) => operationOf(query, `Query${index}`));
  const nameOf = nameSelections(operations);
  const named: Record<string, JsonSchema> = {};
  const [answer] = operations.map((operation) =>
    moveNamedSchemas(responseSchema({ status: 'success' }, operation, nameOf), named),
  );
  const name = answer?.$ref?.split('/').at(-1) ?? '';
  return { name, answer: named[name] ?? {}, named };
}

const thing = { $ref: '#/components/schemas/Thing' };

describe('the schema of a response', () => {
  it('The schema spreads the alias "result" beside the envelope and keeps every other alias', () => {
    const { answer } = answerTo(
      '{ result: page { rows: items { id } total } extra: things { id } }',
    );
    expect(answer).toEqual({
      type: 'object',
      properties: {
        status: { type: 'string', const: 'success' },
        rows: { type: 'array', items: thing },
        total: { type: 'integer', format: 'int32' },
        extra: { type: 'array', items: thing },
      },
      required: ['status', 'rows', 'total', 'extra'],
    });
  });

  it('The schema has null, lists, enums and numbers as in the GraphQL types', () => {
    const { named } = answerTo('{ thing { id colour count size friends { id } notes } }');
    expect(named['Thing']?.properties).toEqual({
      id: { type: 'string' },
      colour: {
        anyOf: [{ type: 'string', enum: ['RED', 'GREEN'] }, { type: 'null' }],
        description: 'How it looks.',
      },
      count: { type: 'integer', format: 'int32' },
      size: { type: ['number', 'null'] },
      friends: {
        type: ['array', 'null'],
        items: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
      },
      notes: { type: 'array', items: { type: 'string' } },
    });
  });

  it('The widest selection of a type has its name, and another begins with the name of its operation or object', () => {
    const { answer, named } = answerTo(
      '{ thing { id } }',
      '{ thing { id count owner { id name } } things { id friends { id } } }',
    );
    expect(answer.properties?.['thing']).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Query0Thing' }, { type: 'null' }],
    });
    expect(
      Object.fromEntries(
        Object.entries(named).map(([name, { properties = {} }]) => [name, Object.keys(properties)]),
      ),
    ).toEqual({
      Query0Thing: ['id'],
      Query0Response: ['status', 'thing'],
      Owner: ['id', 'name'],
      Thing: ['id', 'count', 'owner'],
      ThingOwner: ['id'],
      Query1Thing: ['id', 'friends'],
      Query1Response: ['status', 'thing', 'things'],
    });
  });

  it('A body with pages has the name of its items', () => {
    expect(answerTo('{ result: page { items { id } total totalPages } }').name).toBe('ThingPage');
    expect(answerTo('{ result: page { items { id } total } }').name).toBe('Query0Response');
  });

  it('Two selections that would have the same name fail with an error', () => {
    expect(() => answerTo('{ a: thing { id } b: thing { count } c: thing { id count } }')).toThrow(
      /fragment/,
    );
    expect(() =>
      moveNamedSchemas(
        [
          { title: 'Thing', type: 'object' },
          { title: 'Thing', type: 'array' },
        ],
        {},
      ),
    ).toThrow('Two different schemas are named Thing');
  });

  it('The schema allows additional fields', () => {
    expect(
      JSON.stringify(answerTo('{ result: page { total items { id owner { id } } } }')),
    ).not.toContain('additionalProperties');
  });

  it.each([
    [
      'a result that may be null',
      '{ result: maybe { total } }',
      /"result" must be an object that is never null/,
    ],
    [
      'a result that is a list',
      '{ result: things { id } }',
      /"result" must be an object that is never null/,
    ],
    ['a fragment', '{ thing { ... on Thing { id } } }', /no plain field/],
    ['a directive', '{ thing { id @include(if: true) } }', /no plain field/],
    ['a scalar without a contract', '{ unknown }', /The scalar Unknown has no contract/],
  ])('The schema for %s fails with an error', (_, query, message) => {
    expect(() => answerTo(query)).toThrow(message);
  });
});

describe('the schema of an input', () => {
  const Colour = new GraphQLEnumType({ name: 'Colour', values: { RED: {}, GREEN: {} } });
  const Filter = new GraphQLInputObjectType({
    name: 'Filter',
    fields: {
      name: { type: new GraphQLNonNull(GraphQLString), description: 'What it is called.' },
      limit: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 5 },
      colour: { type: Colour },
    },
  });

  it('The schema allows null exactly where the type does', () => {
    expect(inputSchema(DateTime)).toEqual({ type: ['string', 'null'], format: 'date-time' });
    expect(inputSchema(new GraphQLNonNull(DateTime))).toEqual({
      type: 'string',
      format: 'date-time',
    });
    expect(inputSchema(Colour)).toEqual({
      anyOf: [{ type: 'string', enum: ['RED', 'GREEN'] }, { type: 'null' }],
    });
  });

  it('The schema of a path or query parameter does not allow null', () => {
    expect(presentInputSchema(DateTime)).toEqual({ type: 'string', format: 'date-time' });
  });

  it('The schema has lists, and objects with their required fields and defaults', () => {
    expect(inputSchema(new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Filter))))).toEqual({
      type: 'array',
      items: {
        title: 'Filter',
        type: 'object',
        properties: {
          name: { type: 'string', description: 'What it is called.' },
          limit: { type: 'integer', format: 'int32', default: 5 },
          colour: { anyOf: [{ type: 'string', enum: ['RED', 'GREEN'] }, { type: 'null' }] },
        },
        required: ['name'],
      },
    });
  });

  it('The schema is empty if the contract does not restrict the value', () => {
    expect(
      inputSchema(
        new GraphQLScalarType({
          name: 'Any',
          extensions: {
            contract: { expectation: '', description: '', jsonSchema: {}, specifiedBy: '' },
          },
        }),
      ),
    ).toEqual({});
  });
});

describe('an example', () => {
  it.each([
    [{ type: 'string', minLength: 8 }, 'text....'],
    [{ type: 'string', maxLength: 2 }, 'te'],
    [{ type: 'integer', minimum: 4 }, 4],
    [{ type: 'number' }, 1],
    [{ type: ['boolean', 'null'] }, true],
    [{ type: 'string', format: 'date-time' }, '2026-01-15T09:30:00.000Z'],
    [{ anyOf: [{ type: 'string', enum: ['RED', 'GREEN'] }, { type: 'null' }] }, 'RED'],
    [{ type: 'array', items: { type: 'integer', default: 7 } }, [7]],
    [{}, {}],
  ])('The example of the schema %j fits it', (described, example) => {
    expect(exampleOf(described)).toEqual(example);
  });
});
