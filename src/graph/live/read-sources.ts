import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * What changes the objects of a type. A query that reads a type of which this is not known, because
 * reading it has a cost or counts as an attempt, is `ONCE`: it is not live.
 */
export type TypeSource = 'ONCE' | ChangingType;

export type ChangingType = {
  /** The target types of the audit entries that can change them; every entry if it is absent. */
  targetTypes?: readonly string[];
  /** They also change without an entry, so they are read again after this time. */
  everyMs?: number;
  /** While a result has one of these values, it is read again every second. */
  inProgress?: readonly string[];
};

/** The source of a type by its name. */
export type SourceOf = (typeName: string) => TypeSource;

/** What changes the result of a query. */
export type QuerySource = {
  isChangedBy: (targetTypes: readonly string[]) => boolean;
  everyMs: number;
  isInProgress: (resultText: string) => boolean;
};

/** What no entry tells, such as a date that passes, is known after this time at the latest. */
const everyMsMax = 30_000;

/**
 * Finds what changes the result of a valid operation, from the types whose fields it selects.
 * Undefined if the operation is executed only once.
 */
export function readSources(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  sourceOf: SourceOf,
): QuerySource | undefined {
  const sources: ChangingType[] = [];
  for (const name of selectedTypes(schema, document, operation)) {
    const source = sourceOf(name);
    if (source === 'ONCE') return undefined;
    sources.push(source);
  }
  const targetTypes = sources.some((source) => !source.targetTypes)
    ? undefined
    : new Set(sources.flatMap((source) => source.targetTypes ?? []));
  const states = sources.flatMap(({ inProgress = [] }) => inProgress);
  const pattern = states.length > 0 ? new RegExp(`:"(?:${states.join('|')})"`) : undefined;
  return {
    isChangedBy: (changed) =>
      targetTypes === undefined || changed.some((name) => targetTypes.has(name)),
    everyMs: Math.min(everyMsMax, ...sources.map(({ everyMs }) => everyMs ?? everyMsMax)),
    isInProgress: (text) => pattern?.test(text) ?? false,
  };
}

/**
 * The types of the document. A connection counts as the type of its nodes, and a field of the query
 * type that has no fields of its own as the query type. Fragments of other operations of the
 * document count too.
 */
function selectedTypes(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Set<string> {
  const names = new Set<string>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      OperationDefinition: (node) => (node === operation ? undefined : false),
      Field: ({ name: { value: field } }) => {
        const parent = types.getParentType();
        const type = getNamedType(types.getType());
        if (!parent || !type || field === '__typename') return;
        if (parent !== schema.getQueryType()) names.add(nodeNameOf(parent.name));
        else if (isLeafType(type)) names.add(parent.name);
        else names.add(nodeNameOf(type.name));
      },
    }),
  );
  names.delete('PageInfo');
  return names;
}

const nodeNameOf = (name: string): string => name.replace(/(?<=.)(?:Connection|Edge)$/, '');
