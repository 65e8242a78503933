import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOn } from '../../src/platform/database/database.ts';
import { openPostgres } from '../../src/platform/database/postgres.ts';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { serverUrl, testDatabase } from '../support/database.ts';
import { quietLog } from '../support/quiet-log.ts';
import { wayTo } from '../support/way-to.ts';

// What is asked again and again is executed by compiled code: nobody may notice, but by the time it
// takes.
let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

type Question = { query: string; variables?: Record<string, unknown>; operationName?: string };

async function answerTo(question: Question, accept: string) {
  const { status, text, headers } = await owner.call('POST', '/graphql', question, { accept });
  const requestId = headers.get('x-request-id') ?? '';
  return {
    status,
    body: JSON.parse(text.replaceAll(requestId || 'none', 'the request id')),
    type: headers.get('content-type'),
    stored: headers.get('cache-control'),
  };
}
const types = ['application/graphql-response+json', 'application/json'];

async function answersTo(questions: readonly Question[]) {
  const answers = [];
  for (const question of questions)
    for (const accept of types) answers.push(await answerTo(question, accept));
  return answers;
}

const users = `query Users($size: PageSize! = 2, $names: Boolean = true, $search: SearchText) {
  users(pageSize: $size, search: $search) { items { id email ...Name @include(if: $names) people: teams { name } } total }
}
fragment Name on User { firstName lastName }`;

describe('a question', () => {
  it.each<[string, Question, Question[]]>([
    [
      'without variables',
      { query: '{ viewer { kind } teams { id name isDefault memberCount } }' },
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
        // Each of these has a fault of its own, which is told as if it were the first time.
        { query: users, variables: { size: 0 } },
        { query: users, variables: { size: 'many' } },
        { query: users, variables: { size: null } },
        { query: users, variables: { names: 'yes' } },
        { query: users, operationName: 'Teams', variables: { size: 1 } },
        { query: users, operationName: 'Users', variables: { size: 3 } },
      ],
    ],
    [
      'that does not find what it asks for',
      {
        query: 'query ($id: ResourceId!) { team(teamId: $id) { id } teams { id } }',
        variables: { id: 'unknown' },
      },
      [],
    ],
    [
      'that may grow too large by its variables',
      {
        query:
          'query ($size: PageSize!) { users(pageSize: $size) { items { teams { name users(pageSize: $size) { items { email } } } } } }',
        variables: { size: 1 },
      },
      [
        {
          query:
            'query ($size: PageSize!) { users(pageSize: $size) { items { teams { name users(pageSize: $size) { items { email } } } } } }',
          variables: { size: 100 },
        },
      ],
    ],
    ['about the schema', { query: '{ __typename teams { __typename id } }' }, []],
  ])('%s is answered the tenth time as it was the first', async (_, question, others) => {
    const asked = [question, ...others];
    // Another text is another document, which has not been asked yet.
    const fresh = await answersTo(
      asked.map(({ query, ...rest }, at) => ({ ...rest, query: `${query} # ${at}` })),
    );
    for (let times = 0; times < 10; times += 1) await answerTo(question, 'application/json');
    expect(await answersTo(asked)).toEqual(fresh);
  });

  it('is answered from what is stored at the time', async () => {
    const teams = async () =>
      Object(
        Object((await answerTo({ query: '{ teams { name } }' }, 'application/json')).body).data,
      ).teams;
    for (let times = 0; times < 10; times += 1) await teams();
    await owner.call('POST', '/api/user-management/v1/teams', { name: 'Made meanwhile' });
    expect(await teams()).toContainEqual({ name: 'Made meanwhile' });
  });

  it('is refused to who lost the right to ask it', async () => {
    const query = '{ users { total } # and nothing else\n}';
    for (let times = 0; times < 10; times += 1)
      expect((await answerTo({ query }, 'application/json')).body).toEqual({
        data: { users: { total: 1 } },
      });
    const stranger = await app.organization({ features: [] });
    expect((await app.graph(stranger.key, query)).errors).toMatchObject([
      { extensions: { code: 'FEATURE_DISABLED' } },
    ]);
  });

  it('as a mutation is done each time', async () => {
    const create = async (name: string) =>
      answerTo(
        {
          query: 'mutation ($name: TeamName!) { createTeam(name: $name) { name } }',
          variables: { name },
        },
        'application/json',
      );
    for (let times = 0; times < 10; times += 1)
      expect((await create(`Again ${times}`)).body).toEqual({
        data: { createTeam: { name: `Again ${times}` } },
      });
  });
});

// What can be out of reach is a server; the embedded database ends with its process.
it.skipIf(!serverUrl)(
  'while the database is away a question is told so at once, the tenth time as well as the first',
  async () => {
    const own = await testDatabase();
    const way = await wayTo(own.url ?? '');
    const database = databaseOn(openPostgres({ databaseUrl: way.url, log: quietLog }), {
      poolSize: 4,
      log: quietLog,
    });
    const reached = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { database });
    const asker = await reached.organization();
    const ask = async (query: string) => {
      // Until the answer is there nobody else tries to connect: one failed read, one try.
      const tries = way.turnedAway();
      const { status, body } = await asker.call(
        'POST',
        '/graphql',
        { query },
        { accept: 'application/json' },
      );
      return { status, body, tries: way.turnedAway() - tries };
    };
    const query = '{ teams { name } }';
    for (let times = 0; times < 10; times += 1)
      expect(await ask(query)).toMatchObject({ status: 200, body: { data: { teams: [{}] } } });
    way.cut();
    while (database.connections().open > 0) await new Promise(setImmediate);
    const [first, tenth] = [await ask(`${query} # not asked before`), await ask(query)];
    for (const told of [first, tenth]) {
      expect(told).toMatchObject({
        status: 200,
        tries: 1,
        body: { data: null, errors: [{ path: ['teams'], extensions: { code: 'UNAVAILABLE' } }] },
      });
    }
    way.mend();
    expect(await ask(query)).toMatchObject({ status: 200, body: { data: { teams: [{}] } } });
    await reached.close();
    way.close();
    await own.close();
  },
);
