import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { type ListSize, sizedByParent } from '../schema/field-cost.ts';

type Variables = Readonly<Record<string, unknown>>;
type SizeOf = (variables: Variables) => number;

/** The cost of a selection: `fixed`, and the cost of each entry of its lists. */
type SelectionCost = { fixed: number; lists: { sizeOf: SizeOf; entry: SelectionCost }[] };

/** The size that the object of a selection declares for some of its lists. */
type DeclaredSize = { fields: readonly string[]; sizeOf: SizeOf } | undefined;

type CostInput = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Variables;
};

type OperationCost = { cost: SelectionCost; defaults: Variables | undefined };

const costsOfOperations = new WeakMap<OperationDefinitionNode, OperationCost>();

/**
 * The maximum number of values in the response, from the declared costs of the fields, the
 * arguments and the variables: the static analysis of IBM's GraphQL cost directives. Every
 * selection counts as it is written, also `__typename` and each of several fragments.
 */
export function costOf({ schema, document, operation, variables }: CostInput): number {
  const known = costsOfOperations.get(operation);
  const { cost, defaults } = known ?? {
    cost: analyse(schema, document, operation),
    defaults: defaultsOf(operation),
  };
  if (!known) costsOfOperations.set(operation, { cost, defaults });
  return evaluate(cost, defaults ? { ...defaults, ...variables } : variables);
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables | undefined {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return defaults.length > 0 ? Object.fromEntries(defaults) : undefined;
}

const evaluate = ({ fixed, lists }: SelectionCost, variables: Variables): number =>
  lists.reduce(
    (sum, { sizeOf, entry }) => sum + sizeOf(variables) * evaluate(entry, variables),
    fixed,
  );

function analyse(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): SelectionCost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);

  // The size of a document with its fragments expanded is limited, so nothing is cached here.
  function selectionCost(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    declared: DeclaredSize,
  ): SelectionCost {
    const cost: SelectionCost = { fixed: 0, lists: [] };
    for (const selection of selections) {
      const part =
        selection.kind === Kind.FIELD
          ? fieldCost(selection, type, declared)
          : fragmentCost(selection, type, declared);
      cost.fixed += part.fixed;
      cost.lists.push(...part.lists);
    }
    return cost;
  }

  function fragmentCost(
    node: Exclude<SelectionSetNode['selections'][number], FieldNode>,
    type: GraphQLNamedType | undefined,
    declared: DeclaredSize,
  ): SelectionCost {
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    if (!fragment) return { fixed: 0, lists: [] };
    const { typeCondition, selectionSet } = fragment;
    const fragmentType = typeCondition ? schema.getType(typeCondition.name.value) : type;
    return selectionCost(selectionSet, fragmentType, declared);
  }

  function fieldCost(
    node: FieldNode,
    type: GraphQLNamedType | undefined,
    declared: DeclaredSize,
  ): SelectionCost {
    const name = node.name.value;
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
    const { weight = 1, listSize } = field?.extensions.cost ?? {};
    if (!field || !node.selectionSet) return { fixed: weight, lists: [] };
    const own = listSize === undefined || listSize === sizedByParent ? undefined : listSize;
    const sizeOf = own && sizeOfList(own, node, field);
    const sizedFields = own?.sizedFields;
    const entry = selectionCost(
      node.selectionSet,
      getNamedType(field.type),
      sizeOf && sizedFields && { fields: sizedFields, sizeOf },
    );
    const entriesSizeOf = declared?.fields.includes(name)
      ? declared.sizeOf
      : sizedFields
        ? undefined
        : sizeOf;
    return entriesSizeOf
      ? { fixed: weight, lists: [{ sizeOf: entriesSizeOf, entry }] }
      : { fixed: weight + entry.fixed, lists: entry.lists };
  }

  return selectionCost(
    operation.selectionSet,
    schema.getRootType(operation.operation) ?? undefined,
    undefined,
  );
}

function sizeOfList(
  { assumedSize = 1, slicingArguments = [] }: ListSize,
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
): SizeOf {
  const readers = slicingArguments.map((path) => {
    const [name = '', ...rest] = path.split('.');
    const definition = field.args.find((argument) => argument.name === name);
    return reader(
      node.arguments?.find((argument) => argument.name.value === name)?.value,
      rest,
      definition,
    );
  });
  if (readers.length === 0) return () => assumedSize;
  return (variables) => {
    const sizes = readers.flatMap((read) => read(variables) ?? []);
    return sizes.length > 0 ? Math.max(...sizes) : assumedSize;
  };
}

/** Reads the length that an argument has, or a field of it; undefined if none is sent. */
function reader(
  node: ValueNode | undefined,
  path: readonly string[],
  definition: GraphQLArgument | undefined,
): (variables: Variables) => number | undefined {
  const [first, ...rest] = path;
  if (node?.kind === Kind.OBJECT && first !== undefined)
    return reader(node.fields.find(({ name }) => name.value === first)?.value, rest, undefined);
  if (node?.kind === Kind.LIST) return () => node.values.length;
  return (variables) => {
    const value: unknown = node && valueFromASTUntyped(node, variables);
    return lengthOf(
      path.reduce<unknown>(
        (part, name) => Object(part)[name],
        value ?? (node?.kind === Kind.NULL ? null : definition?.defaultValue),
      ),
    );
  };
}

/** A single value that is sent for a list is a list with this value. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.length;
  return value === undefined || value === null ? undefined : 1;
}
