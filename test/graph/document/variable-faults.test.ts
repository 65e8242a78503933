import { buildSchema, isScalarType, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { variableFaults } from '../../../src/graph/document/variable-faults.ts';

const schema = buildSchema(`
  scalar Even
  enum Color { RED GREEN }
  input Size { width: Int!, colors: [Color!] }
  input Order { size: Size!, notes: [String!]! }
  type Query {
    ok(id: ID, ratio: Float, even: Even): Boolean
    sized(size: Size!, list: [Int!], notes: [String!]): Boolean
  }
`);

function faults(declarations: string, values: Record<string, unknown>): string[] {
  const document = parse(`query (${declarations}) { ok }`);
  const [operation] = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === 'OperationDefinition',
  );
  return operation
    ? variableFaults(schema, document, operation, values).map(({ message }) => message)
    : [];
}

describe('variableFaults', () => {
  it('valid variables have no faults', () => {
    expect(
      faults('$a: Int!, $b: Order, $c: [Int] = [1], $d: String', {
        a: 1,
        b: { size: { width: 1, colors: ['RED'] }, notes: ['x'] },
        d: null,
      }),
    ).toEqual([]);
  });

  it('every invalid variable is reported with its path and without its value', () => {
    const values = {
      b: 'secret',
      c: 'secret',
      d: null,
      e: { size: { width: 'secret', colors: ['secret'] }, notes: null },
      f: { notes: ['secret', 7] },
      g: 'secret',
    };
    expect(
      faults('$a: Int!, $b: Float, $c: Boolean, $d: ID!, $e: Order, $f: Order, $g: Color', values),
    ).toEqual([
      '$a is required',
      '$b must be a number, not a string',
      '$c must be true or false, not a string',
      '$d must be a valid ID, not null',
      '$e.size.width must be an integer, not a string',
      '$e.size.colors[0] must be one of RED, GREEN',
      '$e.notes must be a list, not null',
      '$f.size is required',
      '$f.notes[1] must be a string, not a number',
      '$g must be one of RED, GREEN',
    ]);
  });

  it('an object of another type is reported with its type', () => {
    expect(faults('$a: Size, $b: Size, $c: Size!', { a: 'secret', b: [7], c: null })).toEqual([
      '$a must be an object, not a string',
      '$b must be an object, not a list',
      '$c must be an object, not null',
    ]);
  });

  it('null is reported where the variable is used in place of a required value', () => {
    const document =
      parse(`query ($a: Int = 1, $b: [String!] = [], $c: Int = 1, $d: Boolean = true) {
      ...F @include(if: $d)
      plain: ok
    }
    fragment F on Query { sized(size: { width: $a }, list: [$c], notes: $b) }`);
    const [operation] = document.definitions.filter(
      (node): node is OperationDefinitionNode => node.kind === 'OperationDefinition',
    );
    if (!operation) throw new Error('no operation');
    const values = { a: null, b: null, c: null, d: null };
    expect(
      variableFaults(schema, document, operation, values).map(({ field, code }) => [field, code]),
    ).toEqual([
      ['size.width', 'NOT_NULLABLE'],
      ['list[0]', 'NOT_NULLABLE'],
      ['if', 'NOT_NULLABLE'],
    ]);
    expect(variableFaults(schema, document, operation, {})).toEqual([]);
  });

  it('an unknown field is reported by name and without its value', () => {
    expect(faults('$a: Size', { a: { width: 1, widht: 'secret' } })).toEqual([
      '$a.widht is not a field of this object',
    ]);
  });

  it('ten of a hundred thousand invalid items are reported, and the rest is not parsed', () => {
    let parsed = 0;
    const even = schema.getType('Even');
    if (isScalarType(even)) {
      even.parseValue = () => {
        parsed += 1;
        throw new Error('odd');
      };
    }
    const messages = faults('$a: [Even!]!', { a: Array.from({ length: 100_000 }, () => 1) });
    expect(messages).toEqual(
      Array.from({ length: 10 }, (_, index) => `$a[${index}] must be a valid Even`),
    );
    expect(parsed).toBe(10);
  });

  it('objects in place of an enum or a string are rejected without reading their properties', () => {
    let readCount = 0;
    const object = Object.defineProperty({}, 'key', {
      enumerable: true,
      get: () => (readCount += 1),
    });
    const values = {
      a: object,
      b: object,
      c: [object],
      d: { size: { width: object, colors: object }, notes: [object] },
    };
    expect(faults('$a: Color, $b: String, $c: [ID!], $d: Order', values)).toEqual([
      '$a must be one of RED, GREEN, not an object',
      '$b must be a string, not an object',
      '$c[0] must be a valid ID',
      '$d.size.width must be an integer, not an object',
      '$d.size.colors must be a list, not an object',
      '$d.notes[0] must be a string, not an object',
    ]);
    expect(readCount).toBe(0);
  });

  it('inherited properties do not count as variables', () => {
    expect(faults('$constructor: String, $toString: String!', {})).toEqual([
      '$toString is required',
    ]);
  });
});
