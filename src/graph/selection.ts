import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type Fragments = GraphQLResolveInfo['fragments'];
type Names = ReadonlySet<string>;

const known = new WeakMap<FieldNode, WeakMap<Names, boolean>>();

/**
 * Whether a question asks for no fields but these of what it is answered with, or of what lies
 * `below` that: then a long list need not be read in full. A place in a document is looked at once.
 */
export function selectsOnly(
  names: Names,
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  below?: string,
): boolean {
  return fieldNodes.every((node) => {
    const answers = known.get(node) ?? new WeakMap<Names, boolean>();
    known.set(node, answers);
    const answer = answers.get(names) ?? holdsOnly(names, node, fragments, below);
    answers.set(names, answer);
    return answer;
  });
}

function holdsOnly(
  names: Names,
  node: FieldNode,
  fragments: Fragments,
  below: string | undefined,
): boolean {
  const fields = fieldsIn(node.selectionSet, fragments);
  if (below === undefined)
    return fields.every(({ name }) => name.value === '__typename' || names.has(name.value));
  return fields.every(
    (field) => field.name.value !== below || holdsOnly(names, field, fragments, undefined),
  );
}

function fieldsIn(selectionSet: SelectionSetNode | undefined, fragments: Fragments): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return fieldsIn(
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments[selection.name.value]?.selectionSet,
      fragments,
    );
  });
}
