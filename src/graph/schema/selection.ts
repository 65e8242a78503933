import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type FragmentMap = GraphQLResolveInfo['fragments'];
type FieldNames = ReadonlySet<string>;

const cache = new WeakMap<FieldNode, WeakMap<FieldNames, boolean>>();

/**
 * Whether a query selects only these fields of the result, or of its field `nestedField`. Then a
 * long list need not be loaded completely. The result is cached per position in a document.
 */
export function selectsOnly(
  names: FieldNames,
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  nestedField?: string,
): boolean {
  return fieldNodes.every((node) => {
    const results = cache.get(node) ?? new WeakMap<FieldNames, boolean>();
    cache.set(node, results);
    const result = results.get(names) ?? containsOnly(names, node, fragments, nestedField);
    results.set(names, result);
    return result;
  });
}

function containsOnly(
  names: FieldNames,
  node: FieldNode,
  fragments: FragmentMap,
  nestedField: string | undefined,
): boolean {
  const fields = fieldsIn(node.selectionSet, fragments);
  if (nestedField === undefined)
    return fields.every(({ name }) => name.value === '__typename' || names.has(name.value));
  return fields.every(
    (field) => field.name.value !== nestedField || containsOnly(names, field, fragments, undefined),
  );
}

function fieldsIn(selectionSet: SelectionSetNode | undefined, fragments: FragmentMap): FieldNode[] {
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
