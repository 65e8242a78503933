import { buildSchema, execute, parse, print } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { describe, expect, it } from 'vitest';
import { hoistObjects } from '../../../src/graph/execute/hoist-objects.ts';

const schema = buildSchema(`
  enum Color { RED GREEN }
  input Size { width: Int! height: Int }
  input Shape { name: String color: Color = GREEN size: Size tags: [String] }
  type Query { keys(shape: Shape!, twice: Boolean): String other(shape: Shape): String }
`);
const fields = schema.getQueryType()?.getFields() ?? {};
for (const field of Object.values(fields)) field.resolve = (_, { shape }) => JSON.stringify(shape);

const query = `query ($name: String, $color: Color, $width: Int! = 3, $height: Int, $tag: String, $twice: Boolean) {
  keys(shape: { name: $name, color: $color, size: { width: $width, height: $height }, tags: ["a", $tag] }, twice: $twice)
  other(shape: { name: "no variable" })
}`;

async function answersTo(variables: Record<string, unknown>) {
  const document = parse(query);
  const plain = await execute({ schema, document, variableValues: variables });
  const { document: hoisted, variablesFrom } = hoistObjects(schema, document);
  const compiled = compileQuery(schema, hoisted, '');
  if (!isCompiledQuery(compiled)) throw new Error(JSON.stringify(compiled));
  const answer = await compiled.query(undefined, {}, { ...variablesFrom(variables) });
  const sorted = (text: unknown) => {
    const shape: object = JSON.parse(String(text));
    return Object.fromEntries(Object.entries(shape).toSorted());
  };
  return {
    plain: sorted(plain.data?.['keys']),
    compiled: sorted(Object(answer.data)['keys']),
    errors: [plain.errors, answer.errors],
  };
}

describe('hoistObjects', () => {
  it.each([
    [{}],
    [{ name: 'a' }],
    [{ name: null, color: 'RED' }],
    [{ width: 5, height: null, tag: 'b' }],
    [{ height: 2, tag: null, twice: true }],
  ])(
    'With the variables %j a compiled query gets the object that GraphQL.js makes',
    async (variables) => {
      const { plain, compiled, errors } = await answersTo(variables);
      expect(errors).toEqual([undefined, undefined]);
      expect(compiled).toEqual(plain);
    },
  );

  it('A field whose variable was not sent is absent', async () => {
    const { compiled } = await answersTo({});
    expect(Object.keys(compiled)).not.toContain('name');
  });

  it('An object without variables stays in the document', () => {
    const { document } = hoistObjects(schema, parse(query));
    expect(print(document)).toContain('other(shape: {name: "no variable"})');
    expect(print(document)).toContain('keys(shape: $hoisted0, twice: $twice)');
  });

  it('A document without such objects is not changed', () => {
    const document = parse('query ($shape: Shape!) { keys(shape: $shape) }');
    const variables = { shape: { name: 'a' } };
    const hoisted = hoistObjects(schema, document);
    expect(hoisted.document).toBe(document);
    expect(hoisted.variablesFrom(variables)).toBe(variables);
  });
});
