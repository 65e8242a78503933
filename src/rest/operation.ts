import { readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type CompiledOperation, compileOperation } from '../graph/compile.ts';
import type { Context } from '../graph/context.ts';
import type { ScopeMap } from '../graph/scopes.ts';

/**
 * `defaultValue` is as JSON would have it; undefined where the variable has none. `argument` is
 * what the variable stands for.
 */
export type Variable = {
  name: string;
  type: GraphQLInputType;
  defaultValue: unknown;
  argument: GraphQLArgument | undefined;
};

/** One named operation, read from its file, checked and compiled. */
export type Operation = {
  name: string;
  summary: string;
  document: DocumentNode;
  definition: OperationDefinitionNode;
  rootField: GraphQLField<unknown, Context>;
  variables: Variable[];
  /** What the root field asks of the viewer, known before any input is read. */
  scopes: ScopeMap;
  /** Whether the body is a form with a file. */
  takesFile: boolean;
  /** Whether the body may be a form with files instead of JSON. */
  takesFiles: boolean;
  /** Whether the answer is the bytes of a file. */
  givesFile: boolean;
  /** Whether it reads something that has an entity tag. */
  isTagged: boolean;
  execute: CompiledOperation;
};

const folder = new URL('../../schema/operations/', import.meta.url);

/**
 * `schema` asks no scopes: the adapter asks those of the root field, so no field below may have
 * any.
 */
export function loadOperation(schema: GraphQLSchema, file: string): Operation {
  const source = readFileSync(new URL(`${file}.graphql`, folder), 'utf8');
  const document = parse(source, { noLocation: true });
  const [definition, ...others] = document.definitions;
  const selection =
    definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  const [root, ...otherRoots] = selection;
  if (
    definition?.kind !== Kind.OPERATION_DEFINITION ||
    !definition.name ||
    others.length > 0 ||
    root?.kind !== Kind.FIELD ||
    otherRoots.length > 0
  ) {
    throw new Error(`${file}.graphql must hold one named operation with one root field`);
  }
  const name = definition.name.value;
  const execute = compileOperation(schema, document, name);
  refuseScopesBelow(schema, document, file);
  const rootField = fieldOf(schema, definition, root);
  const variables = (definition.variableDefinitions ?? []).map((node) => {
    const type = typeFromAST(schema, node.type);
    if (!type || !isInputType(type))
      throw new Error(`${file}.graphql: $${node.variable.name.value} has no input type`);
    const variable = node.variable.name.value;
    const defaultValue = node.defaultValue && valueFromASTUntyped(node.defaultValue);
    return { name: variable, type, defaultValue, argument: argumentFor(variable, root, rootField) };
  });
  return {
    name,
    summary: /^# (.+)$/m.exec(source)?.[1] ?? name,
    document,
    definition,
    rootField,
    variables,
    takesFile: variables.some(
      ({ type }) => getNamedType(type).name === 'Upload' && isNonNullType(type),
    ),
    takesFiles: variables.some(
      ({ type }) => getNamedType(type).name === 'Upload' && isListType(type),
    ),
    givesFile: getNamedType(rootField.type).name === 'Download',
    isTagged:
      definition.operation === 'query' &&
      root.selectionSet?.selections.some(
        (node) => node.kind === Kind.FIELD && node.name.value === 'etag',
      ) === true,
    scopes: scopesOn(rootField),
    execute,
  };
}

/** What an operation answers; where it is refused, the refusal is thrown. */
export async function answerOf(
  { name, execute }: Operation,
  context: Context,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { data, errors } = await execute(context, variables);
  if (errors?.[0] || !data) throw errors?.[0] ?? new Error(`${name} answered nothing`);
  return data;
}

function fieldOf(
  schema: GraphQLSchema,
  definition: OperationDefinitionNode,
  root: FieldNode,
): GraphQLField<unknown, Context> {
  const field = schema.getRootType(definition.operation)?.getFields()[root.name.value];
  if (!field) throw new Error(`The schema has no ${definition.operation} ${root.name.value}`);
  return field;
}

function argumentFor(
  variable: string,
  { arguments: given = [] }: FieldNode,
  field: GraphQLField<unknown, Context>,
): GraphQLArgument | undefined {
  const node = given.find(
    ({ value }) => value.kind === Kind.VARIABLE && value.name.value === variable,
  );
  return field.args.find(({ name }) => name === node?.name.value);
}

function refuseScopesBelow(schema: GraphQLSchema, document: DocumentNode, file: string): void {
  const types = new TypeInfo(schema);
  const roots = [schema.getQueryType(), schema.getMutationType()];
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => {
        const field = types.getFieldDef();
        const scoped = 'authScopes' in Object(field?.extensions['pothosOptions']);
        if (scoped && !roots.some((root) => root === types.getParentType()))
          throw new Error(`${file}.graphql asks ${field?.name}, which has scopes of its own`);
      },
    }),
  );
}

// Pothos keeps a field's options in its extensions. Only scopes that are data can be asked early.
function scopesOn(field: GraphQLField<unknown, Context>): ScopeMap {
  const options: { authScopes?: ScopeMap | (() => never) } = Object(
    field.extensions['pothosOptions'],
  );
  if (typeof options.authScopes !== 'object')
    throw new Error(`${field.name} must declare its scopes as data`);
  return options.authScopes;
}
