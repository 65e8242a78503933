import { type FieldNode, type GraphQLOutputType, getNamedType, getNullableType, isListType, isNonNullType, isObjectType, isLeafType, print, type SelectionSetNode } from 'graphql';
import type { Schema } from './document.ts';
import { leafSchema, orNull } from './leaf-schema.ts';
import { type SelectedField, selectedFields } from './selected-fields.ts';

/** For each type the selection that carries its name: the widest that any operation makes of it. */
export type NamedSelections = Map<string, SelectionSetNode>;

export function nameSelections(roots: readonly SelectedField[]): NamedSelections {
  const named: NamedSelections = new Map();
  const visit = (fields: readonly SelectedField[], spread: boolean) => {
    for (const { name, field, node } of fields) {
      const type = getNamedType(field.type);
      if (!isObjectType(type) || !node.selectionSet) continue;
      const widest = named.get(type.name)?.selections.length ?? 0;
      if (!(spread && name === 'result') && node.selectionSet.selections.length > widest) named.set(type.name, node.selectionSet);
      visit(selectedFields(type, node.selectionSet), false);
    }
  };
  visit(roots, true);
  return named;
}

/** The body of a success: the envelope, the fields of the root alias `result`, every other root alias under its name. */
export function answerSchema(envelope: Readonly<Record<string, string>>, roots: readonly SelectedField[], named: NamedSelections): Schema {
  const constants = Object.entries(envelope).map(([name, value]): [string, Schema] => [name, { type: 'string', const: value }]);
  const spread = roots.filter(({ name }) => name === 'result').flatMap(({ field, node }) => spreadFields(field.type, node));
  const own = roots.filter(({ name }) => name !== 'result');
  return objectOf([...constants, ...[...spread, ...own].map((field) => propertyOf(field, named))]);
}

/** The schema of a selection under its type's name. */
export function selectionSchema(fields: readonly SelectedField[], named: NamedSelections): Schema {
  return objectOf(fields.map((field) => propertyOf(field, named)));
}

function spreadFields(type: GraphQLOutputType, { selectionSet }: FieldNode): SelectedField[] {
  const object = isNonNullType(type) ? type.ofType : null;
  if (!isObjectType(object) || !selectionSet) throw new Error(`The root alias "result" must be an object that is never null, and ${type} is not`);
  return selectedFields(object, selectionSet);
}

function propertyOf({ name, field, node }: SelectedField, named: NamedSelections): [string, Schema] {
  const schema = valueSchema(field.type, node.selectionSet, named);
  return [name, field.description ? { ...schema, description: field.description } : schema];
}

function valueSchema(type: GraphQLOutputType, selection: SelectionSetNode | undefined, named: NamedSelections): Schema {
  if (!isNonNullType(type)) return orNull(presentSchema(type, selection, named));
  return presentSchema(getNullableType(type), selection, named);
}

function presentSchema(type: GraphQLOutputType, selection: SelectionSetNode | undefined, named: NamedSelections): Schema {
  if (isListType(type)) return { type: 'array', items: valueSchema(type.ofType, selection, named) };
  if (isLeafType(type)) return leafSchema(type);
  if (!isObjectType(type) || !selection) throw new Error(`No schema can be computed for ${type}`);
  const namesake = named.get(type.name);
  if (namesake && print(namesake) === print(selection)) return { $ref: `#/components/schemas/${type.name}` };
  return { title: type.name, ...selectionSchema(selectedFields(type, selection), named) };
}

// More fields may come: v1 changes only by addition.
const objectOf = (properties: [string, Schema][]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  required: properties.map(([name]) => name),
});
