import {
  type GraphQLNamedOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isOutputType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { isRenamed, memberNameOf, restNameOf } from './enum-names.ts';

type Rename = (value: string) => string;
/** What to rename in an object, by the names of its fields in the answer. */
type Renames = Map<string, Rename | Renames>;

/** Renames values of an answer in place. */
export type RenameValues = (data: Record<string, unknown>) => void;

/**
 * The function that gives the answers of an operation the names that REST has for values of enums,
 * and for the type of an object under an alias such as `type: __typename`. Undefined if all names
 * are the same.
 */
export function renameValuesOf(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
): RenameValues | undefined {
  const renames: Renames = new Map();
  const root = schema.getRootType(operation);
  if (root) addRenames(schema, root, selectionSet, renames);
  return renames.size === 0 ? undefined : (data) => rename(data, renames);
}

function addRenames(
  schema: GraphQLSchema,
  type: GraphQLNamedOutputType,
  { selections }: SelectionSetNode,
  renames: Renames,
): void {
  for (const node of selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const member = schema.getType(node.typeCondition?.name.value ?? '') ?? type;
      if (isOutputType(member)) addRenames(schema, member, node.selectionSet, renames);
    }
    if (node.kind !== Kind.FIELD) continue;
    const name = node.alias?.value ?? node.name.value;
    if (node.name.value === '__typename' && node.alias) renames.set(name, memberNameOf);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    const field = type.getFields()[node.name.value];
    if (!field) continue;
    const fieldType = getNamedType(field.type);
    if (isEnumType(fieldType) && isRenamed(fieldType))
      renames.set(name, (value) => restNameOf(fieldType, value));
    if (!node.selectionSet) continue;
    const known = renames.get(name);
    const inner: Renames = known instanceof Map ? known : new Map();
    addRenames(schema, fieldType, node.selectionSet, inner);
    if (inner.size > 0) renames.set(name, inner);
  }
}

function rename(object: Record<string, unknown>, renames: Renames): void {
  for (const [name, inner] of renames) {
    const value = object[name];
    if (typeof inner !== 'function') for (const item of [value].flat()) renameIn(item, inner);
    else if (typeof value === 'string') object[name] = inner(value);
    else if (Array.isArray(value)) object[name] = value.map(inner);
  }
}

function renameIn(value: unknown, renames: Renames): void {
  if (isRecord(value)) rename(value, renames);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
