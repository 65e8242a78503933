import type { ObjectRef } from '@pothos/core';
import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { Page, PageNeeds, PageRequest } from '../../platform/database/lists/page.ts';
import { inputError } from '../../platform/errors.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { type FieldCost, sizedByParent } from './field-cost.ts';
import { integer, verbatim } from './input-rules.ts';
import { namesAt, selectsOnly } from './selection.ts';

const pageSizeRule = integer({ min: 1, max: 100 });
const cursorRule = verbatim({ max: 2_000 });

/** The arguments of every list. */
export const connectionArgs = () =>
  builder.args((t) => ({
    first: t.field({
      type: 'Int',
      rule: pageSizeRule,
      required: false,
      description: 'The number of entries from the start of the list, or after `after`.',
    }),
    after: t.string({
      rule: cursorRule,
      required: false,
      description: 'A cursor. Only the entries after it are listed.',
    }),
    last: t.field({
      type: 'Int',
      rule: pageSizeRule,
      required: false,
      description: 'The number of entries from the end of the list, or before `before`.',
    }),
    before: t.string({
      rule: cursorRule,
      required: false,
      description: 'A cursor. Only the entries before it.',
    }),
    page: t.field({
      type: 'SafeInt',
      rule: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      required: false,
      description:
        'The number of the page, from 1. A page after the last one is empty. Entries that are added or deleted meanwhile move others to another page.',
    }),
    pageSize: t.field({
      type: 'Int',
      rule: pageSizeRule,
      required: false,
      description: 'How many entries a page has at most, also after or before a cursor.',
    }),
  }));

type ConnectionArgs = {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  page?: number | null | undefined;
  pageSize?: number | null | undefined;
};

/** The size of a page that names no size; `all` for a list that is then returned completely. */
type DefaultSize = number | 'all';

/** Used with a page number or a cursor, but without a size, in a list with the size `all`. */
const listedMax = 100;

const sizeOf = (
  { first, last, after, before, page, pageSize }: ConnectionArgs,
  defaultSize: DefaultSize,
): number | undefined => {
  const size = first ?? last ?? pageSize;
  if (size != null) return size;
  if (defaultSize !== 'all') return defaultSize;
  return page == null && after == null && before == null ? undefined : listedMax;
};

/** The assumed length of a list that is returned completely. */
const completeLength = 10;

/** The cost of a list: its entries count as often as the page is long. */
export const connectionCost = (defaultSize: DefaultSize): FieldCost => ({
  listSize: {
    assumedSize: defaultSize === 'all' ? completeLength : defaultSize,
    slicingArguments: ['first', 'last', 'pageSize'],
    sizedFields: ['nodes', 'edges'],
  },
});

/** What these arguments and the selection of the field request. */
export function pageRequest(
  args: ConnectionArgs,
  info: GraphQLResolveInfo,
  defaultSize: DefaultSize,
): PageRequest {
  const { first, last, after, before, page, pageSize } = args;
  const size = sizeOf(args, defaultSize);
  if ([first, last, after, before].every((argument) => argument == null))
    return { page: page ?? 1, size, needs: needsOf(info) };
  if (page != null)
    throw inputError('page', 'INVALID', 'page cannot be used with first, after, last or before');
  if (pageSize != null && (first != null || last != null))
    throw inputError('pageSize', 'INVALID', 'pageSize cannot be used with first or last');
  if (first != null && last != null)
    throw inputError('last', 'INVALID', 'first and last cannot be used together');
  return {
    page: 1,
    size,
    after: after ?? undefined,
    before: before ?? undefined,
    isBackward: last != null || (before != null && after == null && first == null),
    isByCursor: true,
    needs: needsOf(info),
  };
}

const needs = new WeakMap<FieldNode, PageNeeds>();

function needsOf(info: GraphQLResolveInfo): PageNeeds {
  const [node] = info.fieldNodes;
  const known = node && info.fieldNodes.length === 1 ? needs.get(node) : undefined;
  if (known) return known;
  const fields = namesAt([], info);
  const pageInfo = namesAt(['pageInfo'], info);
  const found: PageNeeds = {
    total: fields.has('totalCount') || fields.has('totalPages'),
    cursors:
      namesAt(['edges'], info).has('cursor') ||
      pageInfo.has('startCursor') ||
      pageInfo.has('endCursor'),
    hasNextPage: pageInfo.has('hasNextPage'),
    hasPreviousPage: pageInfo.has('hasPreviousPage'),
  };
  if (node && info.fieldNodes.length === 1) needs.set(node, found);
  return found;
}

const nodePaths = [['nodes'], ['edges', 'node']];

/** Whether a query selects only these fields of the entries of a list. */
export const nodesSelectOnly = (names: ReadonlySet<string>, info: GraphQLResolveInfo): boolean =>
  selectsOnly(names, info, nodePaths);

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Whether a list ascends or descends.',
  values: {
    ASC: { description: 'From the lowest to the highest, from the oldest to the newest.' },
    DESC: { description: 'From the highest to the lowest, from the newest to the oldest.' },
  } as const,
});

/**
 * Defines the input for the order of a list, such as `UserOrder`, from its fields and their
 * descriptions.
 */
export function orderType<Field extends string>(name: string, fields: Record<Field, string>) {
  const entries = Object.entries<string>(fields) as [Field, string][];
  const values = Object.fromEntries(
    entries.map(([field, description]) => [field, { description }]),
  ) as Record<Field, { description: string }>;
  const OrderField = builder.enumType(`${name}Field`, {
    description: 'What a list can be ordered by.',
    values,
  });
  return builder.inputType(name, {
    description: 'The order of a list.',
    fields: (t) => ({
      field: t.field({ type: OrderField, description: 'What the list is ordered by.' }),
      direction: t.field({ type: OrderDirection, description: 'Ascending or descending.' }),
    }),
  });
}

/** Returns a value that the page has, because the selection was examined before it was read. */
function loaded<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The page was read without a value that is selected');
  return value;
}

const PageInfo = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'The position of a page in its list.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether there are entries after this page.',
      resolve: ({ hasNextPage }) => loaded(hasNextPage),
    }),
    hasPreviousPage: t.boolean({
      description: 'Whether there are entries before this page.',
      resolve: ({ hasPreviousPage }) => loaded(hasPreviousPage),
    }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor of the first entry; null on an empty page.',
      resolve: ({ nodes, cursorAt }) => (nodes.length > 0 ? loaded(cursorAt)(0) : null),
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last entry, for `after`; null on an empty page.',
      resolve: ({ nodes, cursorAt }) =>
        nodes.length > 0 ? loaded(cursorAt)(nodes.length - 1) : null,
    }),
  }),
});

const Connection = builder.interfaceRef<Page<unknown>>('Connection').implement({
  description:
    'A page of a list. With cursors (`first`, `after`, `last`, `before`) no entry is listed twice or missed if others are added or deleted meanwhile.',
  fields: (t) => ({
    pageInfo: t.field({
      type: PageInfo,
      description: 'The position of the page in the list.',
      resolve: (page) => page,
    }),
    totalCount: t.int({
      description: 'How many entries all pages have together.',
      resolve: ({ total }) => loaded(total),
    }),
    page: t.expose('page', {
      type: 'SafeInt',
      description: 'The number of the page, from 1.',
    }),
    pageSize: t.exposeInt('pageSize', {
      description: 'How many entries a page has at most.',
    }),
    totalPages: t.int({
      description: 'How many pages there are; 0 if there are no entries.',
      resolve: ({ total, pageSize }) => Math.ceil(loaded(total) / Math.max(pageSize, 1)),
    }),
  }),
});

/**
 * Defines the type of a list of these entries, such as `UserConnection`, and of its edges. `Extra`
 * has the values of further fields that the list itself has.
 */
export function connectionType<Item, Extra extends object = object>(
  name: string,
  node: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Item, Item>,
) {
  const Edge = builder.objectRef<{ node: Item; cursor: string }>(`${name}Edge`).implement({
    description: 'An entry of a list with its cursor.',
    fields: (t) => ({
      node: t.expose('node', { type: node, description: 'What is listed at this position.' }),
      cursor: t.exposeString('cursor', {
        description: 'The position of the entry, for `after` and `before`.',
      }),
    }),
  });
  return builder.objectRef<Page<Item> & Extra>(`${name}Connection`).implement({
    description: 'A page of a list.',
    interfaces: [Connection],
    fields: (t) => ({
      nodes: t.field({
        type: [node],
        description: 'The entries of the page.',
        cost: { listSize: sizedByParent },
        resolve: (page) => page.nodes,
      }),
      edges: t.field({
        type: [Edge],
        description: 'The entries of the page with their cursors.',
        cost: { listSize: sizedByParent },
        resolve: ({ nodes, cursorAt }) =>
          nodes.map((entry, index) => ({ node: entry, cursor: cursorAt?.(index) ?? '' })),
      }),
    }),
  });
}
