import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  print,
  type SelectionSetNode,
} from 'graphql';
import type { Schema } from './document.ts';
import { leafSchema, orNull } from './leaf-schema.ts';
import { type SelectedField, selectedFields } from './selected-fields.ts';

type Selection = { type: GraphQLObjectType; selectionSet: SelectionSetNode };

/** For each type the selection that carries its name: the widest that any operation makes of it. */
export type NamedSelections = ReadonlyMap<string, Selection>;

export function nameSelections(operations: readonly (readonly SelectedField[])[]): NamedSelections {
  const named = new Map<string, Selection>();
  const visit = ({ field, node: { selectionSet } }: SelectedField, mayBeNamed: boolean) => {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || !selectionSet) return;
    const widest = named.get(type.name)?.selectionSet.selections.length ?? 0;
    if (mayBeNamed && selectionSet.selections.length > widest)
      named.set(type.name, { type, selectionSet });
    for (const inner of selectedFields(type, selectionSet)) visit(inner, true);
  };
  for (const root of operations.flat()) visit(root, !isSpread(root));
  return named;
}

export const namedSchemas = (named: NamedSelections): Record<string, Schema> =>
  Object.fromEntries(
    [...named].map(([name, selection]) => [name, selectionSchema(selection, named)]),
  );

/**
 * The body of a success: the envelope, the fields of the root alias `result`, every other root
 * alias under its name.
 */
export function answerSchema(
  envelope: Readonly<Record<string, string>>,
  roots: readonly SelectedField[],
  named: NamedSelections,
): Schema {
  const constants = Object.entries(envelope).map(([name, value]): [string, Schema] => [
    name,
    { type: 'string', const: value },
  ]);
  const spread = roots
    .filter(isSpread)
    .flatMap(({ field, node }) => spreadFields(field.type, node));
  const own = roots.filter((root) => !isSpread(root));
  return objectOf([...constants, ...[...spread, ...own].map((field) => propertyOf(field, named))]);
}

const isSpread = ({ name }: SelectedField) => name === 'result';

function spreadFields(type: GraphQLOutputType, { selectionSet }: FieldNode): SelectedField[] {
  const object = isNonNullType(type) ? type.ofType : null;
  if (!isObjectType(object) || !selectionSet)
    throw new Error(`The root alias "result" must be an object that is never null; ${type} is not`);
  return selectedFields(object, selectionSet);
}

const selectionSchema = ({ type, selectionSet }: Selection, named: NamedSelections): Schema =>
  objectOf(selectedFields(type, selectionSet).map((field) => propertyOf(field, named)));

function propertyOf(
  { name, field, node }: SelectedField,
  named: NamedSelections,
): [string, Schema] {
  const schema = valueSchema(field.type, node.selectionSet, named);
  return [name, field.description ? { ...schema, description: field.description } : schema];
}

function valueSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  named: NamedSelections,
): Schema {
  if (isNonNullType(type)) return presentSchema(type.ofType, selectionSet, named);
  return orNull(presentSchema(type, selectionSet, named));
}

function presentSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  named: NamedSelections,
): Schema {
  if (isListType(type))
    return { type: 'array', items: valueSchema(type.ofType, selectionSet, named) };
  if (isLeafType(type)) return leafSchema(type);
  if (!isObjectType(type) || !selectionSet)
    throw new Error(`No schema can be computed for ${type}`);
  const namesake = named.get(type.name);
  if (namesake && print(namesake.selectionSet) === print(selectionSet))
    return { $ref: `#/components/schemas/${type.name}` };
  return { title: type.name, ...selectionSchema({ type, selectionSet }, named) };
}

// Open for more fields: v1 changes by addition.
const objectOf = (properties: [string, Schema][]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  required: properties.map(([name]) => name),
});
