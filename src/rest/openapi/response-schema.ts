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
import type { JsonSchema } from './document.ts';
import { leafSchema, orNull } from './leaf-schema.ts';
import { type SelectedField, selectedFields } from './selected-fields.ts';

type TypeSelection = { type: GraphQLObjectType; selectionSet: SelectionSetNode };

/**
 * For each type the selection that becomes the schema with the type's name: the one with the most
 * fields of all operations.
 */
export type NamedSelections = ReadonlyMap<string, TypeSelection>;

export function nameSelections(operations: readonly (readonly SelectedField[])[]): NamedSelections {
  const namedSelections = new Map<string, TypeSelection>();
  const visit = ({ field, node: { selectionSet } }: SelectedField, mayBeNamed: boolean) => {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || !selectionSet) return;
    const widest = namedSelections.get(type.name)?.selectionSet.selections.length ?? 0;
    if (mayBeNamed && selectionSet.selections.length > widest)
      namedSelections.set(type.name, { type, selectionSet });
    for (const inner of selectedFields(type, selectionSet)) visit(inner, true);
  };
  for (const root of operations.flat()) visit(root, !isSpread(root));
  return namedSelections;
}

export const namedSchemas = (namedSelections: NamedSelections): Record<string, JsonSchema> =>
  Object.fromEntries(
    [...namedSelections].map(([name, selection]) => [
      name,
      selectionSchema(selection, namedSelections),
    ]),
  );

/**
 * The schema of the body of a success: the envelope, the fields of the root alias `result`, and
 * every other root alias under its name.
 */
export function responseSchema(
  envelope: Readonly<Record<string, string>>,
  roots: readonly SelectedField[],
  namedSelections: NamedSelections,
): JsonSchema {
  const constants = Object.entries(envelope).map(([name, value]): [string, JsonSchema] => [
    name,
    { type: 'string', const: value },
  ]);
  const spreadRoots = roots
    .filter(isSpread)
    .flatMap(({ field, node }) => spreadFields(field.type, node));
  const otherRoots = roots.filter((root) => !isSpread(root));
  return objectOf([
    ...constants,
    ...[...spreadRoots, ...otherRoots].map((field) => propertyOf(field, namedSelections)),
  ]);
}

const isSpread = ({ name }: SelectedField) => name === 'result';

function spreadFields(type: GraphQLOutputType, { selectionSet }: FieldNode): SelectedField[] {
  const object = isNonNullType(type) ? type.ofType : null;
  if (!isObjectType(object) || !selectionSet)
    throw new Error(`The root alias "result" must be an object that is never null; ${type} is not`);
  return selectedFields(object, selectionSet);
}

const selectionSchema = (
  { type, selectionSet }: TypeSelection,
  namedSelections: NamedSelections,
): JsonSchema =>
  objectOf(selectedFields(type, selectionSet).map((field) => propertyOf(field, namedSelections)));

function propertyOf(
  { name, field, node }: SelectedField,
  namedSelections: NamedSelections,
): [string, JsonSchema] {
  const schema = valueSchema(field.type, node.selectionSet, namedSelections);
  return [name, field.description ? { ...schema, description: field.description } : schema];
}

function valueSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  namedSelections: NamedSelections,
): JsonSchema {
  if (isNonNullType(type)) return presentSchema(type.ofType, selectionSet, namedSelections);
  return orNull(presentSchema(type, selectionSet, namedSelections));
}

function presentSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  namedSelections: NamedSelections,
): JsonSchema {
  if (isListType(type))
    return { type: 'array', items: valueSchema(type.ofType, selectionSet, namedSelections) };
  if (isLeafType(type)) return leafSchema(type);
  if (!isObjectType(type) || !selectionSet)
    throw new Error(`No schema can be computed for ${type}`);
  const namesake = namedSelections.get(type.name);
  if (namesake && print(namesake.selectionSet) === print(selectionSet))
    return { $ref: `#/components/schemas/${type.name}` };
  return { title: type.name, ...selectionSchema({ type, selectionSet }, namedSelections) };
}

// Additional properties are allowed, because version 1 grows by adding fields.
const objectOf = (properties: [string, JsonSchema][]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  required: properties.map(([name]) => name),
});
