import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/schema.ts';

const objects = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
);
const implementsType = (type: unknown, name: string): boolean =>
  isObjectType(type) && type.getInterfaces().some((one) => one.name === name);
const connections = objects.filter((type) => implementsType(type, 'Connection'));

type OwnedField = { path: string; field: GraphQLField<unknown, unknown> };
const fields: OwnedField[] = objects.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ path: `${type.name}.${field.name}`, field })),
);
const lists = fields.filter(({ field }) => implementsType(getNamedType(field.type), 'Connection'));
const argumentsOf = ({ field }: OwnedField) =>
  Object.fromEntries(field.args.map(({ name, type }) => [name, String(type)]));

/** Short lists: what they are limited by. */
const shortLists: Readonly<Record<string, string>> = {
  'Query.expiringKeys': 'the first twenty of a warning',
  'Query.node': 'one',
  'Query.nodes': 'the ids that were sent',
  'Query.sharingTeams': 'the teams of one person',
  'User.teams': 'the teams of one person, which REST lists in each user',
  'RedemptionBatch.items': 'a batch of an export',
};

describe('lists', () => {
  it('Every list of objects that have ids is a connection, unless something limits it', () => {
    const plain = fields.filter(
      ({ path, field }) =>
        isListType(getNullableType(field.type)) &&
        implementsType(getNamedType(field.type), 'Node') &&
        !/^\w+Connection\.nodes$/.test(path) &&
        // A payload lists what the input has named.
        !/^\w+Payload\./.test(path) &&
        shortLists[path] === undefined,
    );
    expect(plain.map(({ path }) => path)).toEqual([]);
  });

  it('The schema has lists', () => {
    expect(connections.length).toBeGreaterThan(10);
    expect(lists.length).toBeGreaterThan(12);
  });

  it.each(connections)('$name has edges, nodes, the page and the total', (connection) => {
    const types = Object.fromEntries(
      Object.values(connection.getFields()).map(({ name, type }) => [name, String(type)]),
    );
    const node = connection.name.replace(/Connection$/, '');
    expect(types).toMatchObject({
      edges: `[${node}Edge!]!`,
      nodes: `[${node}!]!`,
      pageInfo: 'PageInfo!',
      totalCount: 'Int!',
    });
  });

  it.each(lists)('$path takes cursors, a numbered page and an order', (list) => {
    expect(argumentsOf(list)).toMatchObject({
      ...{ first: 'Int', after: 'String', last: 'Int', before: 'String' },
      ...{ page: 'SafeInt', pageSize: 'Int' },
    });
    expect(Object.keys(argumentsOf(list))).toContain('orderBy');
  });
});

describe('nodes', () => {
  /** These have ids, and are read with the object that they belong to. */
  const parts = [
    ...['AssistantShare', 'BillingChange', 'ConversationAttachment', 'ConversationMessage'],
    ...[
      'EventReference',
      'Organization',
      'OrganizationEvent',
      'Passkey',
      'Person',
      'SealedAuditEntry',
    ],
    ...['Session', 'SetApiKeyLimitMaxPayload', 'SignInProvider', 'SponsorshipStatementEntry'],
  ];

  it('Every object with an id of its own can be read by it', () => {
    const others = objects.filter(
      (type) => type.getFields()['id'] !== undefined && !implementsType(type, 'Node'),
    );
    expect(others.map(({ name }) => name).toSorted()).toEqual(parts);
  });

  it('An id of an object is never null', () => {
    const nullable = fields.filter(
      ({ path, field }) => path.endsWith('.id') && !isNonNullType(field.type),
    );
    expect(nullable.map(({ path }) => path)).toEqual([]);
  });
});
