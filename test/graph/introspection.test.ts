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

describe('in production, unless the settings say otherwise', () => {
  it('nobody reads the schema', async () => {
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

  it('no error suggests a name of the schema', async () => {
    for (const query of [
      '{ team { id } }',
      '{ teems { id } }',
      '{ teams { nam } }',
      '{ user(userI: "x") { id } }',
      '{ teams { ... on Teem { id } } }',
    ]) {
      const { answer, errors } = await app.graph(key, query);
      expect(errors.length).toBeGreaterThan(0);
      expect(answer.text).not.toContain('Did you mean');
    }
  });

  it('a client still learns the type of what it holds', async () => {
    expect(await app.graph(key, '{ teams { __typename } }')).toMatchObject({
      data: { teams: [{ __typename: 'Team' }] },
    });
  });

  it('there is no GraphiQL', async () => {
    expect(
      await app.request('GET', '/graphql', { headers: { accept: 'text/html' } }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'query is required' }] },
    });
  });
});

describe('where it is switched on', () => {
  it('a typing error is answered with what was meant', async () => {
    const open = await testApp({ NODE_ENV: 'production', INTROSPECTION: 'true' });
    const { errors } = await open.graph((await open.organization()).key, '{ teems { id } }');
    expect(errors[0]?.message).toContain('Did you mean "teams"');
    await open.close();
  });
});
