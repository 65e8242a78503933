import {
  type GraphQLOutputType,
  type GraphQLUnionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type SelectionSetNode,
} from 'graphql';
import { typeWithoutErrors } from '../../graph/schema/null-on-error.ts';
import { memberNameOf } from '../enum-names.ts';
import type { JsonSchema } from './document.ts';
import { leafSchema, orNull } from './leaf-schema.ts';
import {
  bodyFields,
  type SelectedField,
  selectedFields,
  selectedMembers,
  typeFieldOf,
} from './selected-fields.ts';
import type { NamedOperation, SelectionNames } from './selection-names.ts';

/**
 * The schema of the body of a success, which `bodyOf` builds: the envelope, the fields of the alias
 * `result`, and every other root alias under its name. Its title, and that of each object in it, is the name of
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
  const properties = bodyFields(roots).map((field) => propertyOf(field, nameOf));
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

function propertyOf(
  { name, field, node }: SelectedField,
  nameOf: SelectionNames,
): [string, JsonSchema] {
  // A call whose operation has an error answers the error.
  const schema = valueSchema(typeWithoutErrors(field), node.selectionSet, nameOf);
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
  if (isUnionType(type) && selectionSet) return unionSchema(type, selectionSet, nameOf);
  if (!isObjectType(type) || !selectionSet)
    throw new Error(`No schema can be computed for ${type}`);
  return {
    title: nameOf(type, selectionSet),
    ...objectOf(selectedFields(type, selectionSet).map((field) => propertyOf(field, nameOf))),
  };
}

/** A union of objects, of which each has its name in one field. */
function unionSchema(
  union: GraphQLUnionType,
  selectionSet: SelectionSetNode,
  nameOf: SelectionNames,
): JsonSchema {
  const propertyName = typeFieldOf(selectionSet);
  if (propertyName === undefined)
    throw new Error(`A selection on ${union.name} needs an alias of __typename`);
  const members = selectedMembers(union, selectionSet).map(({ type, selectionSet: fields }) => ({
    name: memberNameOf(type.name),
    title: nameOf(type, fields),
    properties: selectedFields(type, fields).map((field) => propertyOf(field, nameOf)),
  }));
  return {
    title: union.name,
    oneOf: members.map(({ name, title, properties }) => ({
      title,
      ...objectOf([[propertyName, { type: 'string', const: name }], ...properties]),
    })),
    discriminator: {
      propertyName,
      mapping: Object.fromEntries(
        members.map(({ name, title }) => [name, `#/components/schemas/${title}`]),
      ),
    },
  };
}

const objectOf = (properties: [string, JsonSchema][]): JsonSchema =>
  objectSchema(Object.fromEntries(properties));

/**
 * The schema of an object that always has these fields. Additional ones are allowed, because
 * version 1 grows by adding fields.
 */
export const objectSchema = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
