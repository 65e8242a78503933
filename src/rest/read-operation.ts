import { readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

const operationsFolder = new URL('../../schema/operations/', import.meta.url);
const readText = (file: string) =>
  readFileSync(new URL(`${file}.graphql`, operationsFolder), 'utf8');

const fragments = new Map<string, readonly SelectionNode[]>();
/** The names of the fragments without `Fields`, by their type and their selection. */
const sharedSelections = new Map<string, string>();
for (const definition of parse(readText('fragments'), { noLocation: true }).definitions)
  if (definition.kind === Kind.FRAGMENT_DEFINITION) {
    const { name, typeCondition, selectionSet } = inPlace(definition);
    fragments.set(name.value, selectionSet.selections);
    sharedSelections.set(
      `${typeCondition.name.value} ${print(selectionSet)}`,
      name.value.replace(/Fields$/, ''),
    );
  }

/** Returns the name of the fragment with this selection, without `Fields`. */
export const sharedSelectionName = (
  type: string,
  selectionSet: SelectionSetNode,
): string | undefined => sharedSelections.get(`${type} ${print(selectionSet)}`);

type ReadOperation = { source: string; document: DocumentNode };
const operations = new Map<string, ReadOperation>();

/**
 * Reads an operation from its file, once. The fields of a fragment take the place of its name, so
 * that nothing else needs to know fragments.
 */
export function readOperation(file: string): ReadOperation {
  const known = operations.get(file);
  if (known) return known;
  const source = readText(file);
  const operation = { source, document: inPlace(parse(source, { noLocation: true })) };
  operations.set(file, operation);
  return operation;
}

/** Puts the fields of each fragment in the place of its name. */
function inPlace<Node extends DocumentNode | FragmentDefinitionNode>(node: Node): Node {
  return visit(node, {
    SelectionSet: (set) => ({ ...set, selections: set.selections.flatMap(fieldsOf) }),
  });
}

function fieldsOf(selection: SelectionNode): readonly SelectionNode[] {
  if (selection.kind !== Kind.FRAGMENT_SPREAD) return [selection];
  const fields = fragments.get(selection.name.value);
  if (!fields) throw new Error(`fragments.graphql has no fragment ${selection.name.value}`);
  return fields;
}
