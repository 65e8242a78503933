import SchemaBuilder from '@pothos/core';
import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/access/context.ts';
import { createExecutor } from '../../../src/graph/execute/execute.ts';
import '../../../src/graph/schema/scope-check.ts';

it('A query that fails is executed once for each request, before and after it is compiled', async () => {
  const schema = buildSchema('type Query { failing: String }');
  let executions = 0;
  const field = schema.getQueryType()?.getFields()['failing'];
  if (!field) throw new Error('the schema has no field');
  field.resolve = () => {
    executions += 1;
    throw new Error('failed');
  };
  const executor = createExecutor(schema);
  const document = parse('{ failing }');
  for (let requests = 1; requests <= 10; requests += 1) {
    const { errors } = await executor.execute({
      document,
      context: Object({}) as Context,
      variables: {},
    });
    expect(errors).toHaveLength(1);
    expect(executions).toBe(requests);
  }
  expect(executor.isCompiled(document)).toBe(true);
});

it('Variables that compiled code refuses and GraphQL.js accepts are executed once, with the default', async () => {
  const schema = buildSchema('type Query { users(pageSize: Int!): Int }');
  const sizes: number[] = [];
  const field = schema.getQueryType()?.getFields()['users'];
  if (!field) throw new Error('the schema has no field');
  field.resolve = (_, { pageSize }) => sizes.push(pageSize);
  const executor = createExecutor(schema);
  const document = parse('query Users($size: Int! = 3) { users(pageSize: $size) }');
  executor.prepare(document, 'Users');
  const ask = async (variables: Record<string, unknown>) =>
    executor.execute({ document, context: Object({}) as Context, variables });
  expect(await ask({})).toEqual({ data: { users: 1 } });
  expect(sizes).toEqual([3]);
  expect(await ask({ size: 5 })).toEqual({ data: { users: 2 } });
  expect(await ask({ size: null })).toMatchObject({ errors: [{}] });
  expect(sizes).toEqual([3, 5]);
});

it('A null that a variable allows reaches the resolver as null, compiled or not', async () => {
  const schema = buildSchema('type Query { users(search: String): String }');
  const field = schema.getQueryType()?.getFields()['users'];
  if (!field) throw new Error('the schema has no field');
  field.resolve = (_, values) => JSON.stringify(values);
  const executor = createExecutor(schema);
  const document = parse('query Users($search: String) { users(search: $search) }');
  const ask = async (variables: Record<string, unknown>) =>
    executor.execute({ document, context: Object({}) as Context, variables });
  const plain = [await ask({ search: null }), await ask({})];
  executor.prepare(document, 'Users');
  expect([await ask({ search: null }), await ask({})]).toEqual(plain);
  expect(plain).toEqual([{ data: { users: '{"search":null}' } }, { data: { users: '{}' } }]);
});

it('A root field that does not declare its scopes stops the start', () => {
  const build = (options: object) => {
    const builder = new SchemaBuilder<object>(Object({ plugins: ['scopes'] }));
    builder.queryType({
      fields: (t) => ({ teams: t.string({ ...options, resolve: () => 'all' }) }),
    });
    return builder.toSchema();
  };
  expect(() => build({})).toThrow('Query.teams must declare its authScopes');
  expect(() => build({ authScopes: {} })).not.toThrow();
});
