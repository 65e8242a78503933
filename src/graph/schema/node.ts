import type { Context } from '../../access/context.ts';
import type { ScopeMap } from '../../access/scope-map.ts';
import { memberOf, requireScopes } from '../../access/scopes.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { AppError } from '../../platform/errors.ts';
import { InputFault } from '../../platform/input-fault.ts';
import { builder } from './builder.ts';
import { inputRule } from './input-rules.ts';

const typesOfNodes = new WeakMap<object, string>();

/** The type of an object that `readNodes` has returned. */
export const typeOfNode = (node: object): string | undefined => typesOfNodes.get(node);

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'An object that can be read again by its id. Ids are unique across all types.',
  resolveType: typeOfNode,
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the object, the same as in every other query and in REST.',
    }),
  }),
});

type NodeSource = {
  /** The scopes of the queries that return the type. */
  scopes: ScopeMap;
  /** The table that has the ids, with a column `organization_id`. */
  table: Fragment;
  /** The column of the ids; by default `id`. */
  idColumn?: Fragment;
  /**
   * Reads the objects that the caller may see, in the order of the ids. A rule of the module
   * decides, as it does for the other queries.
   */
  load: (
    ids: string[],
    context: Context,
  ) => Promise<readonly ({ id: string } | null | undefined)[]>;
};

const sources = new Map<string, NodeSource>();

/** Makes the objects of a type, which implements Node, readable by `node` and `nodes`. */
export function addNodeSource(type: string, source: NodeSource): void {
  sources.set(type, source);
}

/** A response has as many objects at most as a list. */
const idsMax = 100;

const idsExpectation = `a list of at most ${idsMax} ids`;
const idsRule = inputRule(
  {
    expectation: idsExpectation,
    jsonSchema: { type: 'array', maxItems: idsMax, items: { type: 'string' } },
    directive: { name: 'items', max: idsMax },
  },
  (value) => {
    if (!Array.isArray(value)) return undefined;
    if (value.length > idsMax)
      throw new InputFault('TOO_LONG', `must be ${idsExpectation}, but has ${value.length}`);
    return value;
  },
);

/**
 * Reads objects by their ids; null for an object that does not exist and for one that the caller
 * may not see. One statement finds the types of the ids, one more reads the objects of each type.
 */
export async function readNodes(ids: readonly string[], context: Context) {
  const { organizationId } = memberOf(context.viewer);
  const storable = ids.filter((id) => id.isWellFormed() && !id.includes('\0'));
  const [first, ...others] = [...sources]
    .filter(([, { scopes }]) => hasScopes(context, scopes))
    .map(([type, { table, idColumn = fragment`id` }]): Fragment => {
      return fragment`select ${type}::text as type, ${idColumn} as id from ${table} where ${idColumn} = any(${storable}) and organization_id = ${organizationId}`;
    });
  if (!first || storable.length === 0) return ids.map(() => null);
  const found = await context.database.sql<{ type: string; id: string }>`${others.reduce(
    (union, part) => fragment`${union} union all ${part}`,
    first,
  )}`;
  const nodes = new Map<string, { id: string }>();
  const idsByType = Map.groupBy(found, ({ type }) => type);
  await Promise.all(
    [...idsByType].map(async ([type, rows]) => {
      const loaded = await sources.get(type)?.load(
        rows.map(({ id }) => id),
        context,
      );
      for (const node of loaded ?? []) {
        if (!node) continue;
        typesOfNodes.set(node, type);
        nodes.set(node.id, node);
      }
    }),
  );
  return ids.map((id) => nodes.get(id) ?? null);
}

function hasScopes(context: Context, scopes: ScopeMap): boolean {
  try {
    requireScopes(context, scopes);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description:
      'The object with this id; null if it does not exist, or if the caller may not see it.',
    args: { id: t.arg.id({ description: 'The id of an object of any type.' }) },
    authScopes: { member: true },
    resolve: async (_, { id }, context) => (await readNodes([id], context))[0] ?? null,
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'The objects with these ids, in their order; null for each that does not exist, or that the caller may not see.',
    args: {
      ids: t.arg.idList({ rule: idsRule, description: 'The ids of objects of any types.' }),
    },
    cost: { listSize: { slicingArguments: ['ids'] } },
    authScopes: { member: true },
    resolve: (_, { ids }, context) => readNodes(ids, context),
  }),
}));
