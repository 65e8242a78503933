import { buildSchema, execute, type GraphQLResolveInfo, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { selectsOnly } from '../../../src/graph/schema/selection.ts';

const schema = buildSchema(
  'type Query { page: Page one: Item } type Page { items: [Item] edges: [Edge] total: Int } type Edge { node: Item cursor: String } type Item { id: ID name: String long: String parts: Part } type Part { long: String }',
);
const allowedFields = new Set(['id', 'name', 'parts']);

/** The results of two calls of selectsOnly in the resolver of this field. */
function selectionResults(query: string, field: 'page' | 'one', paths?: string[][]): boolean[] {
  const results: boolean[] = [];
  const record = (info: GraphQLResolveInfo) => {
    results.push(selectsOnly(allowedFields, info, paths), selectsOnly(allowedFields, info, paths));
    return null;
  };
  execute({
    schema,
    document: parse(query),
    rootValue: { [field]: (_: unknown, __: unknown, info: GraphQLResolveInfo) => record(info) },
  });
  return results;
}

describe('selectsOnly', () => {
  it.each([
    ['{ one { id } }', true],
    ['{ one { id name __typename parts { long } } }', true],
    ['{ one { id long } }', false],
    ['{ one { id name: long } }', false],
    [
      '{ one { ...Some } } fragment Some on Item { id ...More } fragment More on Item { long }',
      false,
    ],
    ['{ one { ...Some } } fragment Some on Item { id ... on Item { name } }', true],
    ['{ one { ... @include(if: false) { long } } }', false],
    ['{ one { id } one { long } }', false],
  ])('%s selects only the allowed fields: %s', (query, isOnly) => {
    expect(selectionResults(query, 'one')).toEqual([isOnly, isOnly]);
  });

  it.each([
    ['{ page { total items { id } } }', true],
    ['{ page { total items { id long } } }', false],
    ['{ page { total } }', true],
    ['{ page { edges { cursor node { id } } } }', true],
    ['{ page { items { id } edges { node { long } } } }', false],
    [
      '{ page { ...Page } } fragment Page on Page { items { ...Item } } fragment Item on Item { long }',
      false,
    ],
    ['{ page { first: items { id } second: items { long } } }', false],
  ])('%s selects only the allowed fields of its items: %s', (query, isOnly) => {
    expect(selectionResults(query, 'page', [['items'], ['edges', 'node']])).toEqual([
      isOnly,
      isOnly,
    ]);
  });
});
