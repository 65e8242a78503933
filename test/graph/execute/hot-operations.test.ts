import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOn } from '../../../src/platform/database/database.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { proxyTo } from '../../support/proxy-to.ts';
import { quietLog } from '../../support/quiet-log.ts';

// Frequent operations are executed by compiled code. The results must be the same as before.
let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

type GraphQLRequest = {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
};

async function responseTo(request: GraphQLRequest, accept: string) {
  const { status, text, headers } = await owner.call('POST', '/graphql', request, { accept });
  const requestId = headers.get('x-request-id') ?? '';
  return {
    status,
    body: JSON.parse(text.replaceAll(requestId || 'none', 'the request id')),
    type: headers.get('content-type'),
    cacheControl: headers.get('cache-control'),
  };
}
const types = ['application/graphql-response+json', 'application/json'];

async function responsesTo(requests: readonly GraphQLRequest[]) {
  const responses = [];
  for (const request of requests)
    for (const accept of types) responses.push(await responseTo(request, accept));
  return responses;
}

const users = `query Users($size: Int! = 2, $names: Boolean = true, $search: String) {
  users(pageSize: $size, search: $search) { nodes { id email ...Name @include(if: $names) people: teams { name } } totalCount }
}
fragment Name on User { firstName lastName }`;

describe('frequent operations', () => {
  it.each<[string, GraphQLRequest, GraphQLRequest[]]>([
    [
      'without variables',
      { query: '{ viewer { kind } teams { nodes { id name isDefault memberCount } } }' },
      [],
    ],
    [
      'with variables',
      { query: users, variables: { size: 1 } },
      [
        { query: users },
        { query: users, variables: { size: 1, names: false } },
        { query: users, variables: { size: 1, search: 'nobody is called so' } },
        { query: users, variables: { size: 1, search: null } },
        // Each of these has its own fault, which is reported as in the first execution.
        { query: users, variables: { size: 0 } },
        { query: users, variables: { size: 'many' } },
        { query: users, variables: { size: null } },
        { query: users, variables: { names: 'yes' } },
        { query: users, operationName: 'Teams', variables: { size: 1 } },
        { query: users, operationName: 'Users', variables: { size: 3 } },
      ],
    ],
    [
      'with a missing resource',
      {
        query: 'query ($id: ID!) { team(teamId: $id) { id } teams { nodes { id } } }',
        variables: { id: 'unknown' },
      },
      [],
    ],
    [
      'whose variables can exceed the cost limit',
      {
        query:
          'query ($size: Int!) { users(pageSize: $size) { nodes { teams { name users(pageSize: $size) { nodes { email } } } } } }',
        variables: { size: 1 },
      },
      [
        {
          query:
            'query ($size: Int!) { users(pageSize: $size) { nodes { teams { name users(pageSize: $size) { nodes { email } } } } } }',
          variables: { size: 100 },
        },
      ],
    ],
    ['with __typename', { query: '{ __typename teams { nodes { __typename id } } }' }, []],
  ])(
    'an operation %s has the same response the tenth time as the first time',
    async (_, request, otherRequests) => {
      const requests = [request, ...otherRequests];
      // Another text is another document, which was not executed before.
      const firstResponses = await responsesTo(
        requests.map(({ query, ...rest }, at) => ({ ...rest, query: `${query} # ${at}` })),
      );
      for (let round = 0; round < 10; round += 1) await responseTo(request, 'application/json');
      expect(await responsesTo(requests)).toEqual(firstResponses);
    },
  );

  it('a frequent operation returns current data', async () => {
    const teams = async () =>
      Object(
        Object(
          (await responseTo({ query: '{ teams { nodes { name } } }' }, 'application/json')).body,
        ).data,
      ).teams.nodes;
    for (let round = 0; round < 10; round += 1) await teams();
    await owner.call('POST', '/api/user-management/v1/teams', { name: 'Made meanwhile' });
    expect(await teams()).toContainEqual({ name: 'Made meanwhile' });
  });

  it('a frequent operation is rejected for an organization without the feature', async () => {
    const query = '{ users { totalCount } # and nothing else\n}';
    for (let round = 0; round < 10; round += 1)
      expect((await responseTo({ query }, 'application/json')).body).toEqual({
        data: { users: { totalCount: 1 } },
      });
    const stranger = await app.organization({ features: [] });
    expect((await app.graph(stranger.key, query)).errors).toMatchObject([
      { extensions: { code: 'FEATURE_DISABLED' } },
    ]);
  });

  it('a frequent mutation is executed each time', async () => {
    const create = async (name: string) =>
      responseTo(
        {
          query:
            'mutation ($name: String!) { createTeam(input: { name: $name }) { team { name } } }',
          variables: { name },
        },
        'application/json',
      );
    for (let round = 0; round < 10; round += 1)
      expect((await create(`Again ${round}`)).body).toEqual({
        data: { createTeam: { team: { name: `Again ${round}` } } },
      });
  });
});

// Only a server can be unreachable; the embedded database ends with its process.
it.skipIf(!serverUrl)(
  'while the database cannot be reached, an operation fails with one connection attempt, the tenth time as well as the first',
  async () => {
    const ownDatabase = await testDatabase();
    const proxy = await proxyTo(ownDatabase.url ?? '');
    const database = databaseOn(openPostgres({ databaseUrl: proxy.url, log: quietLog }), {
      poolSize: 4,
      log: quietLog,
    });
    const appBehindProxy = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { database });
    const organization = await appBehindProxy.organization();
    const ask = async (query: string) => {
      // No other request connects meanwhile: one failed read makes one attempt.
      const attempts = proxy.refusedConnections();
      const { status, body } = await organization.call(
        'POST',
        '/graphql',
        { query },
        { accept: 'application/json' },
      );
      return { status, body, attempts: proxy.refusedConnections() - attempts };
    };
    const query = '{ teams { nodes { name } } }';
    for (let round = 0; round < 10; round += 1)
      expect(await ask(query)).toMatchObject({
        status: 200,
        body: { data: { teams: { nodes: [{}] } } },
      });
    proxy.refuse();
    while (database.connections().open > 0) await new Promise(setImmediate);
    const [first, tenth] = [await ask(`${query} # not asked before`), await ask(query)];
    for (const response of [first, tenth]) {
      expect(response).toMatchObject({
        status: 200,
        attempts: 1,
        body: {
          data: { teams: null },
          errors: [{ path: ['teams'], extensions: { code: 'UNAVAILABLE' } }],
        },
      });
    }
    proxy.accept();
    expect(await ask(query)).toMatchObject({
      status: 200,
      body: { data: { teams: { nodes: [{}] } } },
    });
    await appBehindProxy.close();
    proxy.close();
    await ownDatabase.close();
  },
);
