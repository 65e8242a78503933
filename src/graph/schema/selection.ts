import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type FragmentMap = GraphQLResolveInfo['fragments'];
type FieldNames = ReadonlySet<string>;
type SelectionInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** The names of fields from the selected field inwards. */
type FieldPath = readonly string[];

const cache = new WeakMap<FieldNode, WeakMap<FieldNames, boolean>>();

/**
 * Whether a query selects only these fields of the result, or of the fields at these paths in it.
 * Then a long list need not be loaded completely. The answer is cached per position in a document.
 */
export function selectsOnly(
  names: FieldNames,
  { fieldNodes, fragments }: SelectionInfo,
  paths: readonly FieldPath[] = [[]],
): boolean {
  return fieldNodes.every((node) => {
    const results = cache.get(node) ?? new WeakMap<FieldNames, boolean>();
    cache.set(node, results);
    const result = results.get(names) ?? containsOnly(names, node, fragments, paths);
    results.set(names, result);
    return result;
  });
}

const containsOnly = (
  names: FieldNames,
  node: FieldNode,
  fragments: FragmentMap,
  paths: readonly FieldPath[],
): boolean =>
  paths
    .flatMap((path) => fieldsAt(path, node, fragments))
    .every(({ name }) => name.value === '__typename' || names.has(name.value));

/** The names of the fields that a query selects at this path of the result. */
export const namesAt = (
  path: FieldPath,
  { fieldNodes, fragments }: SelectionInfo,
): ReadonlySet<string> =>
  new Set(
    fieldNodes.flatMap((node) => fieldsAt(path, node, fragments)).map(({ name }) => name.value),
  );

function fieldsAt(
  [name, ...rest]: FieldPath,
  { selectionSet }: FieldNode,
  fragments: FragmentMap,
): FieldNode[] {
  const fields = fieldsIn(selectionSet, fragments);
  if (name === undefined) return fields;
  return fields
    .filter((field) => field.name.value === name)
    .flatMap((field) => fieldsAt(rest, field, fragments));
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
