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

/** How many values an answer may hold, by what the fields declare and the arguments and variables ask for. */
export function costOf({ schema, document, operation, variables, context }: Query): number {
  // Of a document with several operations Pothos weighs the first, whichever is asked for.
  const definitions = document.definitions.filter((node) => node.kind !== Kind.OPERATION_DEFINITION || node === operation);
  return complexityFromQuery({ ...document, definitions }, { schema, ctx: context, variables }).complexity;
}
