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
 * How far a selection reaches once its fragments are unfolded: `width` counts what stands beside
 * each other, `depth` what stands below.
 */
type Reach = {
  width: number;
  fields: number;
  depth: number;
  lists: number;
  introspectionDepth: number;
  introspectionLists: number;
};

const nothing: Reach = {
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

const bounds = [
  ['fieldsWritten', 'fields'],
  ['aliases', 'aliases'],
  ['directives', 'directives'],
  ['rootFields', 'root fields'],
  ['depth', 'levels'],
  ['introspectionDepth', 'levels of introspection'],
  ['introspectionLists', 'lists of introspection in each other'],
  ['fieldsUnfolded', 'fields once its fragments are unfolded'],
] as const;

/**
 * The first limit that a document exceeds. No schema is needed, so this comes before validation,
 * which is dearer.
 */
export function excessOf(document: DocumentNode): GraphQLError | undefined {
  const sizes = { ...writtenSizes(document), ...unfoldedSizes(document) };
  const exceeded = bounds.find(([name]) => sizes[name] > graphLimits[name]);
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

function unfoldedSizes(document: DocumentNode) {
  const fragments = new Map<string, SelectionSetNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node.selectionSet);
  const known = new Map<string, Reach>();

  const reachOf = ({ selections }: SelectionSetNode): Reach =>
    selections.map(reachOfOne).reduce(beside, nothing);

  function reachOfOne(node: SelectionNode): Reach {
    if (node.kind === Kind.INLINE_FRAGMENT) return reachOf(node.selectionSet);
    if (node.kind === Kind.FRAGMENT_SPREAD) return reachOfFragment(node.name.value);
    const name = node.name.value;
    const below = node.selectionSet ? reachOf(node.selectionSet) : nothing;
    const reach = { ...below, width: 1, fields: below.fields + 1 };
    if (introspectionRoots.has(name))
      return {
        ...reach,
        depth: 1,
        introspectionDepth: below.depth + 1,
        introspectionLists: below.lists,
      };
    return {
      ...reach,
      depth: below.depth + 1,
      lists: below.lists + (listsOfIntrospection.has(name) ? 1 : 0),
    };
  }

  // Each fragment is weighed once, however often it is spread: a chain that doubles at every link
  // costs no more than a plain one.
  function reachOfFragment(name: string): Reach {
    const found = known.get(name);
    if (found) return found;
    // While it is being weighed a fragment counts nothing: one that leads back to itself is for
    // validation to name.
    known.set(name, nothing);
    const body = fragments.get(name);
    const reach = body ? reachOf(body) : nothing;
    known.set(name, reach);
    return reach;
  }

  const operations = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [reachOf(node.selectionSet)] : [],
  );
  const widest = operations.reduce(larger, nothing);
  return { ...widest, rootFields: widest.width, fieldsUnfolded: widest.fields };
}

const beside = (a: Reach, b: Reach): Reach => ({
  ...larger(a, b),
  width: a.width + b.width,
  fields: a.fields + b.fields,
});

const larger = (a: Reach, b: Reach): Reach => ({
  width: Math.max(a.width, b.width),
  fields: Math.max(a.fields, b.fields),
  depth: Math.max(a.depth, b.depth),
  lists: Math.max(a.lists, b.lists),
  introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth),
  introspectionLists: Math.max(a.introspectionLists, b.introspectionLists),
});
