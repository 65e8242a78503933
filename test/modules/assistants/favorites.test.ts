import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
let organization: TestOrganization;
let ada: TestPerson;
let emil: TestPerson;
let stranger: TestPerson;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
  organization = await app.organization();
  [ada, emil, stranger] = [
    await personIn(app, organization),
    await personIn(app, organization),
    await personIn(app, await app.organization()),
  ];
});
afterAll(() => app.close());

type Graph = Pick<TestPerson, 'graph'>;

const set = ({ graph }: Graph, assistantId: string, isFavorite = true) =>
  graph(
    `mutation { setAssistantFavorite(input: { assistantId: "${assistantId}", isFavorite: ${isFavorite} }) {
      assistant { id isFavorite } } }`,
  );
const codeOf = ({ errors }: { errors: { extensions?: { code?: unknown } | undefined }[] }) =>
  errors[0]?.extensions?.code ?? 'done';
const favorites = async ({ graph }: Graph, args = 'isFavorite: true') => {
  const { data } = await graph(`{ assistants(${args}) { totalCount nodes { name isFavorite } } }`);
  const { nodes } = Object(data?.['assistants']);
  return nodes.map(({ name }: { name: string }) => name).toSorted();
};
const rowsOf = ({ id }: TestPerson) =>
  app.database.sql`select assistant_id as id from assistant_favorites where user_id = ${id}`;

describe('Favourite assistants', () => {
  it('are those of one person, and marking one twice is marking it once', async () => {
    const person = await personIn(app, organization);
    const [first, second] = [
      await assistantOf(person, { name: 'First' }),
      await assistantOf(person, { name: 'Second' }),
    ];
    await share(person, first, 'VIEW', { userId: emil.id });
    for (const _ of [1, 2])
      expect((await set(person, first)).data?.['setAssistantFavorite']).toEqual({
        assistant: { id: first, isFavorite: true },
      });
    expect(await favorites(person)).toEqual(['First']);
    expect(await favorites(person, 'isFavorite: false')).toEqual(['Second']);
    expect(await favorites(person, 'isFavorite: true, search: "second"')).toEqual([]);
    expect(await favorites(emil)).toEqual([]);
    const seenByEmil = await emil.graph(`{ assistant(assistantId: "${first}") { isFavorite } }`);
    expect(seenByEmil.data).toEqual({ assistant: { isFavorite: false } });
    for (const _ of [1, 2])
      expect((await set(person, first, false)).data?.['setAssistantFavorite']).toEqual({
        assistant: { id: first, isFavorite: false },
      });
    expect(await favorites(person)).toEqual([]);
    expect(await set(person, second)).toMatchObject({ errors: [] });
  });

  it('can only be assistants that the person may view', async () => {
    const id = await assistantOf(ada);
    expect(codeOf(await set(emil, id))).toBe('FORBIDDEN');
    expect(codeOf(await set(stranger, id))).toBe('NOT_FOUND');
    expect(codeOf(await set(ada, 'unknown'))).toBe('NOT_FOUND');
    const key = await organization.keyOf('ORGANIZATION_KEY');
    const byKey = { graph: (query: string) => app.graph(key, query) };
    expect(codeOf(await set(byKey, id))).toBe('FORBIDDEN');
    expect(await rowsOf(emil)).toEqual([]);
    expect(await rowsOf(stranger)).toEqual([]);
  });

  it('are hidden while the assistant is not shared, and are no change for the audit log', async () => {
    const person = await personIn(app, organization);
    const id = await assistantOf(ada, { name: 'Lent' });
    await share(ada, id, 'VIEW', { userId: person.id });
    const [before] = await app.database.sql<{ count: number }>`
      select count(*)::int as count from audit_entries where organization_id = ${organization.id}`;
    await set(person, id);
    const [after] = await app.database.sql<{ count: number }>`
      select count(*)::int as count from audit_entries where organization_id = ${organization.id}`;
    expect(after).toEqual(before);
    await ada.graph(
      `mutation { unshareAssistant(input: { assistantId: "${id}", userId: "${person.id}" }) { assistantId } }`,
    );
    expect(await favorites(person)).toEqual([]);
    await share(ada, id, 'VIEW', { userId: person.id });
    expect(await favorites(person)).toEqual(['Lent']);
  });

  it('marked at the same time are stored once', async () => {
    const id = await assistantOf(ada);
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => set(ada, id)));
    expect(results.map(codeOf)).toEqual(results.map(() => 'done'));
    expect((await rowsOf(ada)).filter((row) => Object(row).id === id)).toHaveLength(1);
  });

  it('are part of the export, and end with the assistant, the membership and the account', async () => {
    const other = await app.organization();
    const [owner, leaver, closer] = [
      await personIn(app, other),
      await personIn(app, other),
      await personIn(app, other),
    ];
    const id = await assistantOf(owner, { name: 'Handbook' });
    await share(owner, id, 'VIEW');
    for (const person of [owner, leaver, closer]) await set(person, id);
    const session = await signIn(app, closer.id);
    const { data } = await session.graph<{ exportAccount: { data: { favorites: object[] } } }>(
      'mutation { exportAccount(input: {}) { data } }',
    );
    expect(data?.exportAccount.data.favorites).toEqual([
      {
        createdAt: expect.any(String),
        assistant: { id, name: 'Handbook', organizationId: other.id },
      },
    ]);
    await session.graph(
      'mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }',
      { email: closer.email },
    );
    expect(await rowsOf(closer)).toEqual([]);
    await other.manage('DELETE', `/users/${leaver.id}`);
    expect(await rowsOf(leaver)).toEqual([]);
    expect(await rowsOf(owner)).toHaveLength(1);
    await owner.graph(
      `mutation { deleteAssistant(input: { assistantId: "${id}" }) { deletedAssistantId } }`,
    );
    expect(await rowsOf(owner)).toEqual([]);
  });
});
