import {
  type FieldNode,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import type { JsonSchema } from './document.ts';
import { leafSchema, orNull } from './leaf-schema.ts';
import { isSpread, type SelectedField, selectedFields } from './selected-fields.ts';
import type { NamedOperation, SelectionNames } from './selection-names.ts';

/**
 * The schema of the body of a success: the envelope, the fields of the root alias `result`, and
 * every other root alias under its name. Its title, and that of each object in it, is the name of
 * the component that it becomes.
 */
export function responseSchema(
  envelope: Readonly<Record<string, string>>,
  { name, roots }: NamedOperation,
  nameOf: SelectionNames,
): JsonSchema {
  const constants = Object.entries(envelope).map(([name, value]): [string, JsonSchema] => [
    name,
    { type: 'string', const: value },
  ]);
  const spreadRoots = roots
    .filter(isSpread)
    .flatMap(({ field, node }) => spreadFields(field.type, node));
  const otherRoots = roots.filter((root) => !isSpread(root));
  const properties = [...spreadRoots, ...otherRoots].map((field) => propertyOf(field, nameOf));
  return { title: titleOf(name, properties), ...objectOf([...constants, ...properties]) };
}

/** A page of campaigns is a `CampaignPage`, wherever it is listed. */
function titleOf(operation: string, properties: readonly [string, JsonSchema][]): string {
  const isPage = properties.some(([name]) => name === 'totalPages');
  const [items, ...otherItems] = properties.flatMap(([, { items }]) => items?.title ?? []);
  return isPage && items !== undefined && otherItems.length === 0
    ? `${items}Page`
    : `${operation}Response`;
}

function spreadFields(type: GraphQLOutputType, { selectionSet }: FieldNode): SelectedField[] {
  const object = isNonNullType(type) ? type.ofType : null;
  if (!isObjectType(object) || !selectionSet)
    throw new Error(`The root alias "result" must be an object that is never null; ${type} is not`);
  return selectedFields(object, selectionSet);
}

function propertyOf(
  { name, field, node }: SelectedField,
  nameOf: SelectionNames,
): [string, JsonSchema] {
  const schema = valueSchema(field.type, node.selectionSet, nameOf);
  return [name, field.description ? { ...schema, description: field.description } : schema];
}

function valueSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  nameOf: SelectionNames,
): JsonSchema {
  if (isNonNullType(type)) return presentSchema(type.ofType, selectionSet, nameOf);
  return orNull(presentSchema(type, selectionSet, nameOf));
}

function presentSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  nameOf: SelectionNames,
): JsonSchema {
  if (isListType(type))
    return { type: 'array', items: valueSchema(type.ofType, selectionSet, nameOf) };
  if (isLeafType(type)) return leafSchema(type);
  if (!isObjectType(type) || !selectionSet)
    throw new Error(`No schema can be computed for ${type}`);
  return {
    title: nameOf(type, selectionSet),
    ...objectOf(selectedFields(type, selectionSet).map((field) => propertyOf(field, nameOf))),
  };
}

// Additional properties are allowed, because version 1 grows by adding fields.
const objectOf = (properties: [string, JsonSchema][]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  required: properties.map(([name]) => name),
});
