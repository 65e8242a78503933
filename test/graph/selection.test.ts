import { buildSchema, execute, type GraphQLResolveInfo, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { selectsOnly } from '../../src/graph/selection.ts';

const schema = buildSchema(
  'type Query { page: Page one: Item } type Page { items: [Item] total: Int } type Item { id: ID name: String long: String parts: Part } type Part { long: String }',
);
const brief = new Set(['id', 'name', 'parts']);

/** What a resolver of this question finds out, the first time and the second. */
function found(query: string, field: 'page' | 'one', below?: string): boolean[] {
  const answers: boolean[] = [];
  const look = (info: GraphQLResolveInfo) => {
    answers.push(selectsOnly(brief, info, below), selectsOnly(brief, info, below));
    return null;
  };
  execute({
    schema,
    document: parse(query),
    rootValue: { [field]: (_: unknown, __: unknown, info: GraphQLResolveInfo) => look(info) },
  });
  return answers;
}

describe('what a question asks for', () => {
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
  ])('%s: only for these: %s', (query, only) => {
    expect(found(query, 'one')).toEqual([only, only]);
  });

  it.each([
    ['{ page { total items { id } } }', true],
    ['{ page { total items { id long } } }', false],
    ['{ page { total } }', true],
    [
      '{ page { ...Page } } fragment Page on Page { items { ...Item } } fragment Item on Item { long }',
      false,
    ],
    ['{ page { first: items { id } second: items { long } } }', false],
  ])('%s: of the items only these: %s', (query, only) => {
    expect(found(query, 'page', 'items')).toEqual([only, only]);
  });
});
