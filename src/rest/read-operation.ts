import { readFileSync } from 'node:fs';
import { type DocumentNode, Kind, parse, type SelectionNode, visit } from 'graphql';

const operationsFolder = new URL('../../schema/operations/', import.meta.url);
const readText = (file: string) =>
  readFileSync(new URL(`${file}.graphql`, operationsFolder), 'utf8');

const fragments = new Map<string, readonly SelectionNode[]>();
for (const definition of parse(readText('fragments'), { noLocation: true }).definitions)
  if (definition.kind === Kind.FRAGMENT_DEFINITION)
    fragments.set(definition.name.value, definition.selectionSet.selections);

/**
 * Reads an operation from its file. The fields of a fragment take the place of its name, so that
 * nothing else needs to know fragments.
 */
export function readOperation(file: string): { source: string; document: DocumentNode } {
  const source = readText(file);
  const document = visit(parse(source, { noLocation: true }), {
    SelectionSet: (node) => ({ ...node, selections: node.selections.flatMap(fieldsOf) }),
  });
  return { source, document };
}

function fieldsOf(selection: SelectionNode): readonly SelectionNode[] {
  if (selection.kind !== Kind.FRAGMENT_SPREAD) return [selection];
  const fields = fragments.get(selection.name.value);
  if (!fields) throw new Error(`fragments.graphql has no fragment ${selection.name.value}`);
  return fields;
}
