import {
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  isUnionType,
  print,
  type SelectionSetNode,
} from 'graphql';
import { sharedSelectionName } from '../read-operation.ts';
import {
  bodyFields,
  type SelectedField,
  selectedFields,
  selectedMembers,
} from './selected-fields.ts';

/** The selected fields of the root of an operation, and the name of the operation. */
export type NamedOperation = { name: string; roots: readonly SelectedField[] };

type Selection = { type: GraphQLObjectType; selectionSet: SelectionSetNode; owner: string };

/** Returns the name of the schema of a selection on a type. */
export type SelectionNames = (type: GraphQLObjectType, selectionSet: SelectionSetNode) => string;

/**
 * Gives each different selection on a type a name of its own. A fragment `UploadedFileFields` gives
 * its selection the name `UploadedFile`. Of the other selections on a type the widest has the name
 * of the type, and the name of each further one begins with that of the object around it.
 */
export function nameSelections(operations: readonly NamedOperation[]): SelectionNames {
  const selections = new Map<string, Selection>();
  const visit = ({ field, node: { selectionSet } }: SelectedField, owner: string) => {
    const type = getNamedType(field.type);
    if (!selectionSet) return;
    if (isUnionType(type))
      for (const member of selectedMembers(type, selectionSet))
        visitSelection(member.type, member.selectionSet, owner);
    if (isObjectType(type)) visitSelection(type, selectionSet, owner);
  };
  const visitSelection = (
    type: GraphQLObjectType,
    selectionSet: SelectionSetNode,
    owner: string,
  ) => {
    const key = keyOf(type, selectionSet);
    if (!selections.has(key)) selections.set(key, { type, selectionSet, owner });
    for (const inner of selectedFields(type, selectionSet)) visit(inner, type.name);
  };
  for (const { name, roots } of operations)
    for (const field of bodyFields(roots)) visit(field, name);

  const names = new Map<string, string>();
  const taken = new Set<string>();
  const give = (key: string, candidates: readonly string[]) => {
    const name = candidates.find((candidate) => !taken.has(candidate));
    if (name === undefined)
      throw new Error(
        `Two selections would have the schema ${candidates[0]}: put one into a fragment of its own in fragments.graphql`,
      );
    taken.add(name);
    names.set(key, name);
  };
  const widestFirst = [...selections].toSorted(
    ([, a], [, b]) => b.selectionSet.selections.length - a.selectionSet.selections.length,
  );
  for (const [key, { type, selectionSet }] of selections) {
    const name = sharedSelectionName(type.name, selectionSet);
    if (name !== undefined) give(key, [name]);
  }
  for (const [key, { type, owner }] of widestFirst)
    if (!names.has(key)) give(key, [type.name, owner + type.name]);

  return (type, selectionSet) => {
    const name = names.get(keyOf(type, selectionSet));
    if (name === undefined) throw new Error(`The selection on ${type.name} has no name`);
    return name;
  };
}

const keyOf = ({ name }: GraphQLObjectType, selectionSet: SelectionSetNode) =>
  `${name} ${print(selectionSet)}`;
