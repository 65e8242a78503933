import {
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Context } from '../access/context.ts';
import type { ScopeMap } from '../access/scope-map.ts';
import type { Executor } from '../graph/execute/execute.ts';
import { scopesOfField } from '../graph/schema/scope-check.ts';
import { pageInfoField } from './list-links.ts';
import { readOperation } from './read-operation.ts';
import { type RenameValues, renameValuesOf } from './rename-values.ts';

/**
 * A variable of an operation. `defaultValue` is a JSON value, or undefined without a default.
 * `argument` is the argument of a field, or the field of its `input`, to which the variable
 * is passed.
 */
export type OperationVariable = {
  name: string;
  type: GraphQLInputType;
  defaultValue: unknown;
  argument: GraphQLArgument | GraphQLInputField | undefined;
};

/** A named operation that was read from its file, validated and compiled. */
export type LoadedOperation = {
  name: string;
  summary: string;
  document: DocumentNode;
  definition: OperationDefinitionNode;
  rootField: GraphQLField<unknown, Context>;
  variables: OperationVariable[];
  /** The scopes that the root field requires. They are known before any input is read. */
  scopes: ScopeMap;
  /** Whether the body is a form with a file. */
  takesFile: boolean;
  /** Whether the body may be a form with files instead of JSON. */
  takesFiles: boolean;
  /** Whether the answer is the bytes of a file. */
  returnsFile: boolean;
  /** Whether it is a query whose result has an entity tag. */
  hasEntityTag: boolean;
  /** Whether it lists entries by pages, which the `Link` header names. */
  listsPages: boolean;
  execute: (
    context: Context,
    variables: Record<string, unknown>,
  ) => ReturnType<Executor['execute']>;
  /** Gives an answer the names of REST, where they differ from those of the graph. */
  renameValues: RenameValues | undefined;
};

/** Reads an operation from its file, validates and compiles it. */
export function loadOperation(executor: Executor, file: string): LoadedOperation {
  const { schema } = executor;
  const { source, document } = readOperation(file);
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
  executor.prepare(document, name);
  const rootField = fieldOf(schema, definition, root);
  const variables = (definition.variableDefinitions ?? []).map((node) => {
    const type = typeFromAST(schema, node.type);
    if (!type || !isInputType(type))
      throw new Error(`${file}.graphql: $${node.variable.name.value} has no input type`);
    const variable = node.variable.name.value;
    const defaultValue = node.defaultValue && valueFromASTUntyped(node.defaultValue);
    return { name: variable, type, defaultValue, argument: argumentOf(variable, root, rootField) };
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
    returnsFile: getNamedType(rootField.type).name === 'Download',
    listsPages: selectsField(root, pageInfoField),
    hasEntityTag: definition.operation === 'query' && selectsField(root, 'etag'),
    scopes: scopesOfField(rootField),
    execute: (context, values) => executor.execute({ document, context, variables: values }),
    renameValues: renameValuesOf(schema, definition),
  };
}

/** Executes an operation and returns its data. If it fails, throws its first error. */
export async function executeOperation(
  { name, execute, renameValues }: LoadedOperation,
  context: Context,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { data, errors } = await execute(context, variables);
  if (errors?.[0] || !data) throw errors?.[0] ?? new Error(`${name} returned no data`);
  renameValues?.(data);
  return data;
}

const selectsField = ({ selectionSet }: FieldNode, name: string): boolean =>
  selectionSet?.selections.some((node) => node.kind === Kind.FIELD && node.name.value === name) ===
  true;

function fieldOf(
  schema: GraphQLSchema,
  definition: OperationDefinitionNode,
  root: FieldNode,
): GraphQLField<unknown, Context> {
  const field = schema.getRootType(definition.operation)?.getFields()[root.name.value];
  if (!field) throw new Error(`The schema has no ${definition.operation} ${root.name.value}`);
  return field;
}

function argumentOf(
  variable: string,
  { arguments: nodes = [], selectionSet }: FieldNode,
  field: GraphQLField<unknown, Context>,
): GraphQLArgument | GraphQLInputField | undefined {
  for (const { name, value } of nodes) {
    const argument = field.args.find((one) => one.name === name.value);
    if (isVariable(value, variable)) return argument;
    const type = argument && getNamedType(argument.type);
    if (value.kind !== Kind.OBJECT || !isInputObjectType(type)) continue;
    const node = value.fields.find((one) => isVariable(one.value, variable));
    if (node) return type.getFields()[node.name.value];
  }
  const type = getNamedType(field.type);
  if (!selectionSet || !isObjectType(type)) return undefined;
  for (const selection of selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const selected = type.getFields()[selection.name.value];
    const found = selected && argumentOf(variable, selection, selected);
    if (found) return found;
  }
  return undefined;
}

const isVariable = (node: ValueNode, name: string): boolean =>
  node.kind === Kind.VARIABLE && node.name.value === name;
