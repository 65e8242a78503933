import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await testApp({ NODE_ENV: 'production' });
  key = (await app.organization()).key;
});
afterAll(() => app.close());

describe('introspection in production', () => {
  it('introspection is rejected in production', async () => {
    for (const query of [
      getIntrospectionQuery(),
      '{ __schema { types { name } } }',
      '{ __type(name: "Team") { name } }',
      '{ ...F } fragment F on Query { a: __schema { types { name } } }',
    ]) {
      const { data, errors } = await app.graph(key, query);
      expect({ data, first: errors[0]?.message }).toEqual({
        data: null,
        first: expect.stringContaining('GraphQL introspection has been disabled'),
      });
    }
  });

  it('errors suggest no names of the schema in production', async () => {
    for (const query of [
      '{ team { id } }',
      '{ teems { id } }',
      '{ teams { nodes { nam } } }',
      '{ user(userI: "x") { id } }',
      '{ teams { nodes { ... on Teem { id } } } }',
    ]) {
      const { answer, errors } = await app.graph(key, query);
      expect(errors.length).toBeGreaterThan(0);
      expect(answer.text).not.toContain('Did you mean');
    }
  });

  it('__typename still works in production', async () => {
    expect(await app.graph(key, '{ teams { nodes { __typename } } }')).toMatchObject({
      data: { teams: { nodes: [{ __typename: 'Team' }] } },
    });
  });

  it('GraphiQL is not served in production', async () => {
    expect(
      await app.request('GET', '/graphql', { headers: { accept: 'text/html' } }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'query is required' }] },
    });
  });
});

describe('introspection that is enabled', () => {
  it('an error suggests the correct name if introspection is enabled', async () => {
    const openApp = await testApp({ NODE_ENV: 'production', INTROSPECTION: 'true' });
    const { errors } = await openApp.graph((await openApp.organization()).key, '{ teems { id } }');
    expect(errors[0]?.message).toContain('Did you mean "teams"');
    await openApp.close();
  });
});
