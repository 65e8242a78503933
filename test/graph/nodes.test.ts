import { isInterfaceType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { createListWorld, idsOfNodes, type ListWorld } from '../support/list-world.ts';
import { signIn } from '../support/sign-in.ts';
import { watchStatements } from '../support/statements.ts';

type NodeAnswer = { __typename: string; id: string } | null;

let app: TestApp;
let world: ListWorld;
/** An id of each type that implements Node. */
let ids: Record<string, string>;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '1000000' });
  world = await createListWorld(app);
  ids = await idsOfNodes(world);
});
afterAll(() => app.close());

const nodesQuery = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
const readNodes = async (session: ListWorld['session'], wanted: readonly string[]) =>
  (await session.graph<{ nodes: NodeAnswer[] }>(nodesQuery, { ids: wanted })).data?.nodes;

describe('node and nodes', () => {
  it('Every type that implements Node is read by its id alone', async () => {
    const type = schema.getType('Node');
    const names = isInterfaceType(type)
      ? schema.getPossibleTypes(type).map(({ name }) => name)
      : [];
    expect(Object.keys(ids).toSorted()).toEqual(names.toSorted());
    for (const name of names)
      expect(
        (await world.session.graph(`{ node(id: "${ids[name]}") { __typename id } }`)).data,
      ).toEqual({ node: { __typename: name, id: ids[name] } });
  });

  it('Many objects are returned in the order of the ids, with null for an unknown id', async () => {
    const wanted = [...Object.values(ids), 'unknown', '\0', '', ...Object.values(ids).toReversed()];
    const known = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const answer = await readNodes(world.session, wanted);
    expect(answer).toEqual(
      wanted.map((id) => (known.has(id) ? { __typename: known.get(id), id } : null)),
    );
  });

  it('Two objects of a type take as many statements as one', async () => {
    const { data } = await world.session.graph<{ users: { nodes: { id: string }[] } }>(
      '{ users(first: 5) { nodes { id } } }',
    );
    const userIds = data?.users.nodes.map(({ id }) => id) ?? [];
    const watch = watchStatements();
    const one = await watch.during(() => readNodes(world.session, userIds.slice(0, 1)));
    const five = await watch.during(() => readNodes(world.session, userIds));
    watch.stop();
    expect(five.result).toHaveLength(5);
    expect(five.statements).toHaveLength(one.statements.length);
  });

  it('More than 100 ids are refused', async () => {
    const { code } = await world.session.graph(nodesQuery, { ids: Array(101).fill('a') });
    expect(code).toBe('BAD_INPUT');
  });

  it('An administrator of another organization gets null for every id', async () => {
    const rival = await app.organization();
    const stranger = await signIn(app, rival.administratorId);
    const wanted = Object.values(ids);
    expect(await readNodes(stranger, wanted)).toEqual(wanted.map(() => null));
  });

  it('A member gets null for what only administrators may see, for assistants without a share, and for keys of others', async () => {
    const member = await world.partner.member('reader@nodes.example');
    const session = await signIn(app, member.id);
    const wanted = Object.values(ids);
    expect(await readNodes(session, wanted)).toEqual(wanted.map(() => null));
    const own = await world.partner.userKey(member.id);
    await app.database.prisma.assistantShare.create({
      data: {
        id: 'share-of-reader',
        assistantId: world.assistantId,
        organizationId: world.partner.id,
        userId: member.id,
        level: 'VIEW',
      },
    });
    const shared = [own.id, world.assistantId, ids['AssistantFile'] ?? ''];
    expect((await readNodes(session, shared))?.map((node) => node?.__typename)).toEqual([
      'ApiKey',
      'Assistant',
      'AssistantFile',
    ]);
    expect(await readNodes(world.session, [own.id])).toEqual([null]);
  });
});
