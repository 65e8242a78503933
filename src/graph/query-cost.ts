import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { Context } from './context.ts';

type Query = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>>;
  context: Context;
};

const constantCosts = new WeakMap<OperationDefinitionNode, number>();

/**
 * How many values an answer may hold, by what the fields declare and the arguments and variables
 * ask for.
 */
export function costOf(query: Query): number {
  const { operation } = query;
  if (operation.variableDefinitions && operation.variableDefinitions.length > 0)
    return weigh(query);
  const cost = constantCosts.get(operation) ?? weigh(query);
  constantCosts.set(operation, cost);
  return cost;
}

function weigh({ schema, document, operation, variables, context }: Query): number {
  // Of a document with several operations Pothos weighs the first, whichever is asked for.
  const definitions = document.definitions.filter(
    (node) => node.kind !== Kind.OPERATION_DEFINITION || node === operation,
  );
  return complexityFromQuery({ ...document, definitions }, { schema, ctx: context, variables })
    .complexity;
}
