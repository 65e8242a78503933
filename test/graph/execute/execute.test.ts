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
