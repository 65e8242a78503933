import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { typeWithoutErrors } from '../../graph/schema/null-on-error.ts';
import { pageInfoField } from '../list-links.ts';

export type SelectedField = {
  name: string;
  field: GraphQLField<unknown, unknown>;
  node: FieldNode;
};

/** The members of a union that are selected, with the fields of each. */
export const selectedMembers = (
  union: GraphQLUnionType,
  { selections }: SelectionSetNode,
): { type: GraphQLObjectType; selectionSet: SelectionSetNode }[] =>
  selections.flatMap((node) => {
    const name = node.kind === Kind.INLINE_FRAGMENT && node.typeCondition?.name.value;
    const type = union.getTypes().find((member) => member.name === name);
    return type && node.kind === Kind.INLINE_FRAGMENT
      ? [{ type, selectionSet: node.selectionSet }]
      : [];
  });

/** The name that the type of a member of a union has in the answer, such as `type: __typename`. */
export const typeFieldOf = ({ selections }: SelectionSetNode): string | undefined => {
  const node = selections.find(
    (selection) => selection.kind === Kind.FIELD && selection.name.value === '__typename',
  );
  return node?.kind === Kind.FIELD ? node.alias?.value : undefined;
};

/** The selected fields of a type, under the names that they have in the response. */
export function selectedFields(
  type: GraphQLObjectType | GraphQLInterfaceType,
  selection: SelectionSetNode,
): SelectedField[] {
  return selection.selections.map((node) => {
    // Fragments and directives are not supported: with them the fields of the response could vary.
    if (node.kind !== Kind.FIELD || node.directives?.length)
      throw new Error(
        `A selection on ${type.name} is no plain field, so no schema can be computed for it`,
      );
    const field = type.getFields()[node.name.value];
    if (!field) throw new Error(`${type.name} has no field ${node.name.value}`);
    return { name: node.alias?.value ?? node.name.value, field, node };
  });
}

export function rootFields(
  schema: GraphQLSchema,
  definition: OperationDefinitionNode,
): SelectedField[] {
  const root = schema.getRootType(definition.operation);
  if (!root) throw new Error(`The schema has no ${definition.operation}`);
  return selectedFields(root, definition.selectionSet);
}

/**
 * The fields of the body: first those of the root alias `result` and of an alias `result` directly
 * inside it, then every other root field. The position of a page is not in the body.
 */
export const bodyFields = (fields: readonly SelectedField[]): SelectedField[] => [
  ...fields.filter(isSpread).flatMap((field) => bodyFields(fieldsWithin(field))),
  ...fields.filter((field) => !isSpread(field) && field.name !== pageInfoField),
];

const isSpread = ({ name }: SelectedField): boolean => name === 'result';

function fieldsWithin({ field, node: { selectionSet } }: SelectedField): SelectedField[] {
  const type = typeWithoutErrors(field);
  const object = isNonNullType(type) ? type.ofType : null;
  if (!isObjectType(object) || !selectionSet)
    throw new Error(`The alias "result" must be an object that is never null; ${type} is not`);
  return selectedFields(object, selectionSet);
}
