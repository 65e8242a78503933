import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { Context } from '../../access/context.ts';

type CostInput = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>>;
  context: Context;
};

const constantCosts = new WeakMap<OperationDefinitionNode, number>();

/**
 * The maximum number of values in the response, from the declared costs of the fields, the
 * arguments and the variables.
 */
export function costOf(input: CostInput): number {
  const { operation } = input;
  if (operation.variableDefinitions && operation.variableDefinitions.length > 0)
    return computeCost(input);
  const cost = constantCosts.get(operation) ?? computeCost(input);
  constantCosts.set(operation, cost);
  return cost;
}

function computeCost({ schema, document, operation, variables, context }: CostInput): number {
  // For a document with several operations Pothos would compute the cost of the first one.
  const definitions = document.definitions.filter(
    (node) => node.kind !== Kind.OPERATION_DEFINITION || node === operation,
  );
  return complexityFromQuery({ ...document, definitions }, { schema, ctx: context, variables })
    .complexity;
}
