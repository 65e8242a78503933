import {
  type GraphQLField,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { createListWorld, type ListWorld, rowsPerList } from '../support/list-world.ts';

type Connection = {
  totalCount: number;
  page: number;
  pageSize: number;
  totalPages: number;
  nodes: unknown[];
  edges: { cursor: string; node: unknown }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
};

/** The selection around a nested list, with the value that leads to it. */
const parents: Readonly<Record<string, (world: ListWorld, list: string) => string>> = {
  Query: (_, list) => list,
  Assistant: ({ assistantId }, list) => `assistant(assistantId: "${assistantId}") { ${list} }`,
  Campaign: ({ campaignId }, list) => `campaign(campaignId: "${campaignId}") { ${list} }`,
  Link: ({ linkId }, list) => `link(linkId: "${linkId}") { ${list} }`,
  Redemption: ({ redemptionId }, list) => `redemption(redemptionId: "${redemptionId}") { ${list} }`,
  SponsorshipStatement: ({ statementMonth }, list) =>
    `sponsorshipStatement(month: "${statementMonth}") { ${list} }`,
  Team: ({ teamId }, list) => `team(teamId: "${teamId}") { ${list} }`,
};

/** Arguments that a list requires. */
const requiredArguments: Readonly<Record<string, (world: ListWorld) => string>> = {
  'Query.assistantFeedback': ({ assistantId }) => `assistantId: "${assistantId}"`,
  'Query.assistantFiles': ({ assistantId }) => `assistantId: "${assistantId}"`,
  'Query.assistantVersions': ({ assistantId }) => `assistantId: "${assistantId}"`,
  'Query.links': ({ campaignId }) => `campaignId: "${campaignId}"`,
  'Query.sponsorshipStatementEntries': ({ statementMonth }) => `month: "${statementMonth}"`,
  'Query.teamUsers': ({ teamId }) => `teamId: "${teamId}"`,
  'Query.webhookDeliveries': ({ endpointId }) => `endpointId: "${endpointId}"`,
};

type ListField = { parent: string; field: GraphQLField<unknown, unknown> };

const listFields: ListField[] = Object.values(schema.getTypeMap()).flatMap((parent) =>
  isObjectType(parent)
    ? Object.values(parent.getFields()).flatMap((field) => {
        const type = getNamedType(field.type);
        const isList =
          isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Connection');
        return isList ? [{ parent: parent.name, field }] : [];
      })
    : [],
);

/** Every order of a list: each field of its `orderBy`, in both directions. */
function ordersOf({ field }: ListField): string[] {
  const argument = field.args.find(({ name }) => name === 'orderBy');
  const input = argument && getNamedType(argument.type);
  if (!isInputObjectType(input)) return [];
  const fieldType = getNamedType(input.getFields()['field']?.type);
  return isEnumType(fieldType)
    ? fieldType
        .getValues()
        .flatMap(({ name }) =>
          ['ASC', 'DESC'].map((direction) => `{ field: ${name}, direction: ${direction} }`),
        )
    : [];
}

/** Selects what identifies an entry. */
function identityOf({ field }: ListField): string {
  const type = getNamedType(field.type);
  const node = isObjectType(type) ? getNamedType(type.getFields()['nodes']?.type) : undefined;
  const fields = isObjectType(node) ? node.getFields() : {};
  if (fields['id']) return '{ id }';
  if (fields['month']) return '{ month }';
  if (fields['campaignId']) return '{ campaignId }';
  if (fields['batchId']) return '{ batchId billingStatus }';
  return fields['file'] ? '{ file { id } }' : '{ createdAt expiresAt link { id } }';
}

let app: TestApp;
let world: ListWorld;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '1000000' });
  world = await createListWorld(app);
});
afterAll(() => app.close());

/** Reads a page of a list; `code` is that of the first error. */
async function read(list: ListField, args: string): Promise<{ page: Connection; code: unknown }> {
  const { parent, field } = list;
  const identity = identityOf(list);
  const required = requiredArguments[`${parent}.${field.name}`]?.(world) ?? '';
  const argumentText = `${required} ${args}`.trim();
  const selection = `list: ${field.name}${argumentText && `(${argumentText})`} {
    totalCount page pageSize totalPages nodes ${identity} edges { cursor node ${identity} }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const wrap = parents[parent];
  if (!wrap) throw new Error(`Add ${parent}, which has the list ${field.name}, to the parents`);
  const { data, code } = await world.session.graph(`{ ${wrap(world, selection)} }`);
  const root = Object(data);
  return { page: parent === 'Query' ? root.list : Object(Object.values(root)[0]).list, code };
}

/** Reads a list page by page, forwards or backwards, and returns its pages in the list's order. */
async function readAll(list: ListField, order: string, size: number, isBackward: boolean) {
  const pages: Connection[] = [];
  for (let cursor = ''; ; ) {
    const position = cursor && `${isBackward ? 'before' : 'after'}: "${cursor}"`;
    const { page, code } = await read(
      list,
      `orderBy: ${order}, ${isBackward ? 'last' : 'first'}: ${size}, ${position}`,
    );
    expect(code).toBeUndefined();
    if (isBackward) pages.unshift(page);
    else pages.push(page);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
    if (!(isBackward ? hasPreviousPage : hasNextPage)) return pages;
    cursor = String(isBackward ? startCursor : endCursor);
    expect(pages.length).toBeLessThan(20);
  }
}

it('Every type with lists is reached by this test, and there are lists', () => {
  expect(listFields.filter(({ parent }) => !parents[parent])).toEqual([]);
  expect(listFields.length).toBeGreaterThan(15);
});

describe.each(listFields.map((list) => [`${list.parent}.${list.field.name}`, list] as const))(
  '%s',
  (_, list) => {
    it('has the arguments of every list', () => {
      const names = list.field.args.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['first', 'after', 'last', 'before', 'page', 'pageSize', 'orderBy']),
      );
    });

    it('lists the same entries by cursors, backwards, and by pages, in every order', async () => {
      const reversed: Record<string, unknown[]> = {};
      for (const order of ordersOf(list)) {
        const { page: complete } = await read(list, `orderBy: ${order}, first: 100`);
        const count = complete.nodes.length;
        expect(count).toBeGreaterThanOrEqual(rowsPerList);
        expect(complete).toMatchObject({
          totalCount: count,
          pageInfo: {
            hasNextPage: false,
            hasPreviousPage: false,
            startCursor: complete.edges[0]?.cursor,
            endCursor: complete.edges.at(-1)?.cursor,
          },
        });
        expect(complete.edges.map(({ node }) => node)).toEqual(complete.nodes);
        expect(new Set(complete.edges.map(({ cursor }) => cursor)).size).toBe(count);

        for (const isBackward of [false, true]) {
          const pages = await readAll(list, order, 3, isBackward);
          expect(pages.flatMap(({ nodes }) => nodes)).toEqual(complete.nodes);
          expect(pages.flatMap(({ edges }) => edges)).toEqual(complete.edges);
          expect(pages.map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual(
            pages.map((__, index) => index < pages.length - 1),
          );
          expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual(
            pages.map((__, index) => index > 0),
          );
          expect(pages.map(({ totalCount }) => totalCount)).toEqual(pages.map(() => count));
        }

        const numbered: Connection[] = [];
        for (let page = 1; page <= Math.ceil(count / 3); page += 1)
          numbered.push((await read(list, `orderBy: ${order}, page: ${page}, pageSize: 3`)).page);
        expect(numbered.flatMap(({ edges }) => edges)).toEqual(complete.edges);
        expect(numbered.map(({ page, totalPages }) => [page, totalPages])).toEqual(
          numbered.map((__, index) => [index + 1, Math.ceil(count / 3)]),
        );
        reversed[order.includes('ASC') ? 'ASC' : 'DESC'] = complete.nodes;
        if (order.includes('DESC')) expect(reversed['DESC']).toEqual(reversed['ASC']?.toReversed());
      }
    });

    it('is empty on a page far after its end', async () => {
      const { page: complete } = await read(list, 'first: 1');
      for (const far of [1_000, Number.MAX_SAFE_INTEGER]) {
        const { page, code } = await read(list, `page: ${far}, pageSize: 13`);
        expect(code).toBeUndefined();
        expect(page).toMatchObject({ nodes: [], totalCount: complete.totalCount });
      }
    });

    it('refuses a cursor of another list or another order, and mixed arguments', async () => {
      const [order = '', otherOrder = ''] = ordersOf(list);
      const { page } = await read(list, `orderBy: ${order}, first: 1`);
      const { endCursor } = page.pageInfo;
      const foreignList =
        listFields.find(
          ({ field }) => getNamedType(field.type) !== getNamedType(list.field.type),
        ) ?? list;
      const { page: foreign } = await read(foreignList, 'first: 1');
      for (const args of [
        `orderBy: ${order}, after: "${foreign.pageInfo.endCursor}"`,
        `orderBy: ${otherOrder}, after: "${endCursor}"`,
        'before: "no cursor"',
        `after: "${Buffer.from('["a"').toString('base64url')}"`,
        `orderBy: ${order}, first: 2, page: 1`,
        `orderBy: ${order}, after: "${endCursor}", page: 1`,
        `orderBy: ${order}, first: 2, pageSize: 1`,
        'first: 1, last: 1',
      ])
        expect([args, (await read(list, args)).code]).toEqual([args, 'BAD_INPUT']);
    });
  },
);
