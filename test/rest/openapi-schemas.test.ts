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
import { exampleOf } from '../../src/rest/openapi/example.ts';
import { inputSchema, presentInputSchema } from '../../src/rest/openapi/input-schema.ts';
import {
  namedSchemas,
  nameSelections,
  responseSchema,
} from '../../src/rest/openapi/response-schema.ts';
import { rootFields } from '../../src/rest/openapi/selected-fields.ts';

const schema = buildSchema(`
  enum Colour { RED GREEN }
  scalar Unknown
  type Owner { id: ID!, name: String! }
  type Thing { id: ID!, "How it looks." colour: Colour, count: Int!, size: Float, owner: Owner, friends: [Owner], notes: [String!]! }
  type Page { items: [Thing!]!, total: Int! }
  type Query { page: Page!, maybe: Page, thing: Thing, things: [Thing!]!, unknown: Unknown! }
`);

function rootsOf(query: string) {
  const [definition] = parse(query).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('not an operation');
  return rootFields(schema, definition);
}

function answerTo(query: string, ...others: string[]) {
  const named = nameSelections([query, ...others].map(rootsOf));
  return {
    answer: responseSchema({ status: 'success' }, rootsOf(query), named),
    named: namedSchemas(named),
  };
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

  it('The widest selection of a type becomes the named schema, and the others are inlined', () => {
    const { answer, named } = answerTo('{ thing { id } }', '{ thing { id count owner { id } } }');
    expect(answer.properties?.['thing']).toEqual({
      title: 'Thing',
      type: ['object', 'null'],
      properties: { id: { type: 'string' } },
      required: ['id'],
    });
    expect(Object.keys(named['Thing']?.properties ?? {})).toEqual(['id', 'count', 'owner']);
    expect(Object.keys(named)).toEqual(['Thing', 'Owner']);
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
          extensions: { contract: { expectation: '', description: '', jsonSchema: {} } },
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
