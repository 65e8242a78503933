import { buildSchema, type GraphQLSchema, isInterfaceType, parse, print, visit } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { createListWorld, idsOfNodes, type ListWorld } from '../support/list-world.ts';
import { signIn } from '../support/sign-in.ts';
import { watchStatements } from '../support/statements.ts';

type Entities = { _entities: ({ __typename: string; id?: string; name?: string } | null)[] };
type Reference = { __typename: string; id: string };

let app: TestApp;
let world: ListWorld;
/** A reference to an object of each type. */
let references: Reference[];

beforeAll(async () => {
  app = await testApp({ FEDERATION: 'true', USER_KEY_LIMIT: '1000000' });
  world = await createListWorld(app);
  references = Object.entries(await idsOfNodes(world)).map(([type, id]) => ({
    __typename: type,
    id,
  }));
});
afterAll(() => app.close());

const query =
  'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename ... on Node { id } } }';
const read = async (session: ListWorld['session'], representations: readonly unknown[]) =>
  (await session.graph<Entities>(query, { representations })).data?._entities;

const entityNames = (): string[] => {
  const type = schema.getType('Node');
  return isInterfaceType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [];
};

describe('The subgraph for Apollo Federation', () => {
  it('Without the setting the schema has neither _service nor _entities', async () => {
    const plain = await testApp();
    const { administratorId } = await plain.organization();
    const session = await signIn(plain, administratorId);
    expect((await session.graph('{ _service { sdl } }')).errors?.[0]?.message).toContain(
      'Cannot query field',
    );
    expect((await session.graph(query, { representations: [] })).errors).not.toEqual([]);
    await plain.close();
  });

  it('The SDL declares each type that implements Node as an entity with the key id', async () => {
    const { data } = await world.session.graph<{ _service: { sdl: string } }>(
      '{ _service { sdl } }',
    );
    const sdl = data?._service.sdl ?? '';
    for (const name of entityNames())
      expect(sdl).toMatch(
        new RegExp(`^type ${name} implements [\\w& ]+ @key\\(fields: "id"\\) {$`, 'm'),
      );
    expect(sdl.match(/@key\(fields/g)).toHaveLength(entityNames().length);
    expect(sdl).toContain('extend schema @link(url: "https://specs.apollo.dev/federation/v2.3"');
    // The additions of the specification are not part of the SDL.
    expect(sdl).not.toMatch(/_entities|_service/);
    expect(typesOf(withoutFederation(sdl))).toEqual(typesOf(schema));
    // Composition knows these, and needs the definition of every other directive.
    const known = ['deprecated', 'specifiedBy', 'link', 'key', 'shareable'];
    const used = new Set<string>();
    const defined = new Set(known);
    visit(parse(sdl), {
      Directive: ({ name }) => void used.add(name.value),
      DirectiveDefinition: ({ name }) => void defined.add(name.value),
    });
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  });

  it('Every entity is read by its type and id, in the order of the references', async () => {
    expect(references.map(({ __typename }) => __typename).toSorted()).toEqual(
      entityNames().toSorted(),
    );
    const wanted = [...references, ...references.toReversed()];
    expect(await read(world.session, wanted)).toEqual(wanted);
  });

  it('A reference with the id of another type, or an unknown id, gets null', async () => {
    const [first] = references;
    const others = references.slice(1).map(({ id }) => ({ __typename: first?.__typename, id }));
    const unknown = ['unknown', '\0', ''].map((id) => ({ __typename: 'User', id }));
    expect(await read(world.session, [...others, ...unknown])).toEqual(
      [...others, ...unknown].map(() => null),
    );
  });

  it('Two objects of a type take as many statements as one', async () => {
    const { data } = await world.session.graph<{ users: { nodes: { id: string }[] } }>(
      '{ users(first: 5) { nodes { id } } }',
    );
    const users = data?.users.nodes.map(({ id }) => ({ __typename: 'User', id })) ?? [];
    const watch = watchStatements();
    const one = await watch.during(() => read(world.session, users.slice(0, 1)));
    const five = await watch.during(() => read(world.session, users));
    watch.stop();
    expect(five.result).toEqual(users);
    expect(five.statements).toHaveLength(one.statements.length);
  });

  it('An administrator of another organization gets null for every reference', async () => {
    const rival = await app.organization();
    const stranger = await signIn(app, rival.administratorId);
    expect(await read(stranger, references)).toEqual(references.map(() => null));
  });

  it('A member gets null for what only administrators may see', async () => {
    const member = await world.partner.member('reader@federation.example');
    const session = await signIn(app, member.id);
    expect(await read(session, references)).toEqual(references.map(() => null));
  });

  it('Nobody without an organization reads the SDL or an entity', async () => {
    for (const text of [
      '{ _service { sdl } }',
      '{ _entities(representations: []) { __typename } }',
    ]) {
      const { body } = await app.request('POST', '/graphql', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: text }),
      });
      expect(body['errors']).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    }
  });

  it('References without a type or an id, and more than a thousand of them, are refused', async () => {
    for (const representations of [
      [{ id: 'a' }],
      [{ __typename: 'User' }],
      ['a'],
      [[]],
      Array(1_001).fill(references[0]),
    ]) {
      const { code } = await world.session.graph(query, { representations });
      expect(code).toBe('BAD_INPUT');
    }
  });

  it('Each reference counts in the cost of a request', async () => {
    const fields = Array.from({ length: 10 }, (_, index) => `name${index}: name`).join(' ');
    const text = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Campaign { ${fields} } } }`;
    const references = Array<unknown>(1_000).fill({ __typename: 'Campaign', id: world.campaignId });
    const allowed = await world.session.graph(text, { representations: references.slice(1) });
    expect(allowed.errors).toEqual([]);
    const refused = await world.session.graph(text, { representations: references });
    expect(refused.code).toBe('BAD_INPUT');
  });
});

const withoutFederation = (sdl: string): GraphQLSchema =>
  buildSchema(
    print(parse(sdl))
      .replace(/^extend schema @link.*$/m, '')
      .replaceAll(/ @(key\(fields: "id"\)|shareable)/g, ''),
  );

const typesOf = (of: GraphQLSchema) => Object.keys(of.getTypeMap()).toSorted();
