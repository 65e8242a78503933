import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { GraphRequest } from './graph-response.ts';
import type { UsageCounter } from './usage/count-usage.ts';
import { createDeprecationHeaders } from './usage/deprecation-headers.ts';

/** Counts what a request uses of the schema, and tells the client what of it is deprecated. */
export function createUseRecorder({
  schema,
  usage,
}: {
  schema: GraphQLSchema;
  usage: Pick<UsageCounter, 'count'>;
}) {
  const deprecationHeaders = createDeprecationHeaders(schema);
  return (
    document: DocumentNode,
    operation: OperationDefinitionNode | null | undefined,
    graphRequest: GraphRequest,
  ): void => {
    usage.count(document, graphRequest.params.query);
    if (operation)
      graphRequest.operation = { type: operation.operation, name: operation.name?.value };
    Object.assign(graphRequest.headers, deprecationHeaders(document));
  };
}
