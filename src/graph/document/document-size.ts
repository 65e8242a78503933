import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { graphLimits } from './limits.ts';

/**
 * The size of a selection with its fragments expanded: `width` counts the fields of its first
 * level, `depth` the levels.
 */
type SelectionSize = {
  width: number;
  fields: number;
  depth: number;
  lists: number;
  introspectionDepth: number;
  introspectionLists: number;
};

const emptySize: SelectionSize = {
  width: 0,
  fields: 0,
  depth: 0,
  lists: 0,
  introspectionDepth: 0,
  introspectionLists: 0,
};
const introspectionRoots: ReadonlySet<string> = new Set(['__schema', '__type']);
const listsOfIntrospection: ReadonlySet<string> = new Set([
  'types',
  'fields',
  'inputFields',
  'interfaces',
  'possibleTypes',
]);

const checkedLimits = [
  ['fieldsWritten', 'fields'],
  ['aliases', 'aliases'],
  ['directives', 'directives'],
  ['rootFields', 'root fields'],
  ['depth', 'levels'],
  ['introspectionDepth', 'levels of introspection'],
  ['introspectionLists', 'lists of introspection in each other'],
  ['fieldsExpanded', 'fields once its fragments are unfolded'],
] as const;

/**
 * An error for the first limit that the document exceeds. This needs no schema and runs before
 * validation, which is slower.
 */
export function findExceededLimit(document: DocumentNode): GraphQLError | undefined {
  const sizes = { ...writtenSizes(document), ...expandedSizes(document) };
  const exceeded = checkedLimits.find(([name]) => sizes[name] > graphLimits[name]);
  return (
    exceeded &&
    new GraphQLError(`The document has more than ${graphLimits[exceeded[0]]} ${exceeded[1]}`)
  );
}

function writtenSizes(document: DocumentNode) {
  const sizes = { fieldsWritten: 0, aliases: 0, directives: 0 };
  visit(document, {
    Field: ({ alias }) => {
      sizes.fieldsWritten += 1;
      if (alias) sizes.aliases += 1;
    },
    Directive: () => {
      sizes.directives += 1;
    },
  });
  return sizes;
}

function expandedSizes(document: DocumentNode) {
  const fragments = new Map<string, SelectionSetNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node.selectionSet);
  const fragmentSizes = new Map<string, SelectionSize>();

  const sizeOf = ({ selections }: SelectionSetNode): SelectionSize =>
    selections.map(sizeOfNode).reduce(addWidths, emptySize);

  function sizeOfNode(node: SelectionNode): SelectionSize {
    if (node.kind === Kind.INLINE_FRAGMENT) return sizeOf(node.selectionSet);
    if (node.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(node.name.value);
    const name = node.name.value;
    const below = node.selectionSet ? sizeOf(node.selectionSet) : emptySize;
    const size = { ...below, width: 1, fields: below.fields + 1 };
    if (introspectionRoots.has(name))
      return {
        ...size,
        depth: 1,
        introspectionDepth: below.depth + 1,
        introspectionLists: below.lists,
      };
    return {
      ...size,
      depth: below.depth + 1,
      lists: below.lists + (listsOfIntrospection.has(name) ? 1 : 0),
    };
  }

  // Each fragment is measured once, however often it is used, so a chain of fragments that doubles
  // at every link takes no longer than a simple one.
  function sizeOfFragment(name: string): SelectionSize {
    const cached = fragmentSizes.get(name);
    if (cached) return cached;
    // While a fragment is being measured it counts as empty; validation reports fragment cycles.
    fragmentSizes.set(name, emptySize);
    const body = fragments.get(name);
    const size = body ? sizeOf(body) : emptySize;
    fragmentSizes.set(name, size);
    return size;
  }

  const operations = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [sizeOf(node.selectionSet)] : [],
  );
  const widest = operations.reduce(maximum, emptySize);
  return { ...widest, rootFields: widest.width, fieldsExpanded: widest.fields };
}

const addWidths = (a: SelectionSize, b: SelectionSize): SelectionSize => ({
  ...maximum(a, b),
  width: a.width + b.width,
  fields: a.fields + b.fields,
});

const maximum = (a: SelectionSize, b: SelectionSize): SelectionSize => ({
  width: Math.max(a.width, b.width),
  fields: Math.max(a.fields, b.fields),
  depth: Math.max(a.depth, b.depth),
  lists: Math.max(a.lists, b.lists),
  introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth),
  introspectionLists: Math.max(a.introspectionLists, b.introspectionLists),
});
