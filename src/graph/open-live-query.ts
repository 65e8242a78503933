import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { Context } from '../access/context.ts';
import { createDocumentCheck } from './document/check-document.ts';
import { checkVariables } from './document/check-variables.ts';
import { graphLimits } from './document/limits.ts';
import type { Executor } from './execute/execute.ts';
import { maskErrors } from './execute/mask-errors.ts';
import type { ScheduleQuery } from './execute/query-scheduler.ts';
import { type GraphRequest, withCost } from './graph-response.ts';
import type { LiveQueries } from './live/live-queries.ts';
import type { LiveResult } from './live/live-query.ts';
import { createLiveStream } from './live/live-stream.ts';
import { readSources, type SourceOf } from './live/read-sources.ts';
import { createUseRecorder } from './record-use.ts';
import type { TrustedDocuments } from './trusted/trusted-documents.ts';
import type { UsageCounter } from './usage/count-usage.ts';

type LiveDependencies = {
  executor: Executor;
  trusted: TrustedDocuments;
  usage: Pick<UsageCounter, 'count'>;
  schedule: ScheduleQuery;
  introspection: boolean;
  liveQueries: LiveQueries;
  sourceOf: SourceOf;
};

/**
 * Answers a query with a stream of its results. Undefined if the request is answered once: its
 * document is not trusted or is no query, its caller belongs to no organization, it is invalid, or it
 * reads what is not live.
 */
export type OpenLiveQuery = (
  context: Context,
  graphRequest: GraphRequest,
) => Promise<Response | undefined>;

export function createOpenLiveQuery({
  executor,
  trusted,
  usage,
  schedule,
  introspection,
  liveQueries,
  sourceOf,
}: LiveDependencies): OpenLiveQuery {
  const { schema } = executor;
  const checkDocument = createDocumentCheck(schema, { introspection });
  const recordUse = createUseRecorder({ schema, usage });
  // Trusted documents are few, and each is read once.
  const documents = new Map<string, DocumentNode | undefined>();

  function readDocument(text: string): DocumentNode | undefined {
    const document = trusted.documentOf(text) ?? parse(text, { maxTokens: graphLimits.tokens });
    return checkDocument(document).length === 0 ? document : undefined;
  }
  function documentOf(text: string): DocumentNode | undefined {
    if (!trusted.isTrusted(text)) return undefined;
    if (!documents.has(text)) documents.set(text, readDocument(text));
    return documents.get(text);
  }

  const masked = (
    { errors, ...result }: ExecutionResult,
    { requestId, log }: Context,
  ): ExecutionResult =>
    errors
      ? { errors: maskErrors(errors, { schema, executed: true, requestId, log }), ...result }
      : result;

  return async (context, graphRequest) => {
    const { viewer } = context;
    const { query, operationName, variables } = graphRequest.params;
    const document = documentOf(query);
    const operation = document && getOperationAST(document, operationName);
    if (liveQueries.isClosed() || viewer?.organizationId == null) return undefined;
    if (!document || operation?.operation !== OperationTypeNode.QUERY) return undefined;
    const source = readSources(schema, document, operation, sourceOf);
    const { faults, cost } = checkVariables(schema, document, operation, variables);
    if (!source || faults.length > 0) return undefined;
    graphRequest.cost = cost;
    recordUse(document, operation, graphRequest);

    const execute = async (current: Context): Promise<LiveResult> => {
      const result = await schedule(current, cost, () =>
        executor.execute({
          document,
          operationName,
          context: current,
          variables: { ...variables },
        }),
      );
      const text = JSON.stringify(withCost(masked(result, current), graphRequest));
      return { text, hasErrors: result.errors !== undefined };
    };
    const question = JSON.stringify([
      ...[query, operationName ?? null, variables, context.origin],
      graphRequest.wantsCost,
    ]);
    const stream = createLiveStream({
      signal: context.signal,
      toErrorText: (originalError) => {
        const errors = [new GraphQLError(originalError.message, { originalError })];
        return JSON.stringify(masked({ errors }, context));
      },
    });
    const request = { context, viewer, question, source, execute };
    const leave = await liveQueries.open(request, stream.reader);
    return stream.respond(graphRequest.headers, leave);
  };
}
