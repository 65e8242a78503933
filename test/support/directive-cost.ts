import {
  type ArgumentNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';

type SdlField = GraphQLField<unknown, unknown>;
type Variables = Record<string, unknown>;
export type ListSizeValues = {
  assumedSize?: number;
  slicingArguments?: string[];
  sizedFields?: string[];
};

const valuesOf = (nodes: readonly ArgumentNode[] = [], variables: Variables = {}): Variables =>
  Object.fromEntries(
    nodes
      .map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)])
      .filter(([, value]) => value !== undefined),
  );
const directiveOf = ({ astNode }: SdlField, name: string): Variables | undefined => {
  const node = astNode?.directives?.find((directive) => directive.name.value === name);
  return node && valuesOf(node.arguments);
};

/** The `@listSize` of a field of a schema that was built from its SDL. */
export const listSizeOf = (field: SdlField): ListSizeValues | undefined =>
  directiveOf(field, 'listSize');

export const returnsList = ({ type }: SdlField): boolean =>
  isListType(isNonNullType(type) ? type.ofType : type);

const sizeFrom = (value: unknown): number[] =>
  Array.isArray(value) ? [value.length] : typeof value === 'number' ? [value] : [];

/**
 * The cost of a document as a tool computes it that knows only the SDL: the static analysis of the
 * GraphQL cost directives (section 5.1.1), with fields counted as often as they are written.
 */
export function directiveCost(
  sdl: GraphQLSchema,
  source: string,
  { operationName, variables = {} }: { operationName?: string; variables?: Variables } = {},
): number {
  const { definitions } = parse(source);
  const operation = definitions.find(
    (node) =>
      node.kind === Kind.OPERATION_DEFINITION &&
      (operationName === undefined || node.name?.value === operationName),
  );
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no operation');
  const values = { ...variables };
  for (const { variable, defaultValue } of operation.variableDefinitions ?? [])
    if (defaultValue && !(variable.name.value in values))
      values[variable.name.value] = valueFromASTUntyped(defaultValue);

  const fragments = new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
  const sum = (
    { selections }: SelectionSetNode,
    type: GraphQLNamedType,
    sizes: Record<string, number>,
  ): number =>
    selections.reduce((total, node) => {
      if (node.kind === Kind.FIELD) {
        const field =
          isObjectType(type) || isInterfaceType(type)
            ? type.getFields()[node.name.value]
            : undefined;
        if (!field) return total + 1;
        return (
          total +
          costOfField(
            field,
            type,
            node.selectionSet,
            valuesOf(node.arguments, values),
            sizes[node.name.value],
          )
        );
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
      if (!fragment) throw new Error('There is no such fragment');
      const condition = fragment.typeCondition;
      const conditionType = condition && sdl.getType(condition.name.value);
      return total + sum(fragment.selectionSet, conditionType ?? type, sizes);
    }, 0);

  function costOfField(
    field: SdlField,
    type: GraphQLNamedType,
    selectionSet: SelectionSetNode | undefined,
    args: Variables,
    sizeOfParent: number | undefined,
  ): number {
    // An interface has no weights: the greatest of its types counts.
    const weights = isInterfaceType(type)
      ? sdl
          .getPossibleTypes(type)
          .map((member) => weightOf(member.getFields()[field.name] ?? field))
      : [weightOf(field)];
    const weight = Math.max(...weights);
    if (!selectionSet) return weight;
    const listSize = listSizeOf(field);
    const defaults = Object.fromEntries(
      field.args.flatMap(({ name, defaultValue }) =>
        defaultValue === undefined ? [] : [[name, defaultValue]],
      ),
    );
    const lengths = (listSize?.slicingArguments ?? []).flatMap((path) =>
      sizeFrom(
        path
          .split('.')
          .reduce<unknown>((value, name) => Object(value)[name], { ...defaults, ...args }),
      ),
    );
    const length = lengths.length > 0 ? Math.max(...lengths) : listSize?.assumedSize;
    const { sizedFields } = listSize ?? {};
    const entries = sum(
      selectionSet,
      getNamedType(field.type),
      Object.fromEntries((sizedFields ?? []).map((name) => [name, length ?? Number.NaN])),
    );
    const own = returnsList(field) && !sizedFields ? (sizeOfParent ?? length ?? Number.NaN) : 1;
    return weight + own * entries;
  }

  const weightOf = (field: SdlField): number => {
    const declared = directiveOf(field, 'cost')?.['weight'];
    return declared === undefined
      ? isLeafType(getNamedType(field.type))
        ? 0
        : 1
      : Number(declared);
  };

  const root = sdl.getRootType(operation.operation);
  if (!root) throw new Error(`There is no ${operation.operation}`);
  return sum(operation.selectionSet, root, {});
}
