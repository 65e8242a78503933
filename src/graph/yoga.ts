import { Request } from '@whatwg-node/fetch';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { type Plugin, YogaServer } from 'graphql-yoga';
import type { Context } from '../access/context.ts';
import { type FieldError, InputError } from '../platform/errors.ts';
import { type AnswerType, eventStreamType, secretAnswer } from './answer-type.ts';
import { createDocumentCheck } from './document/check-document.ts';
import { checkVariables, type VariableCheck } from './document/check-variables.ts';
import { graphLimits } from './document/limits.ts';
import { operationFault } from './document/operation-fault.ts';
import type { Executor } from './execute/execute.ts';
import { createLruCache } from './execute/lru-cache.ts';
import { maskErrors } from './execute/mask-errors.ts';
import { maskStreamErrors } from './execute/mask-stream-errors.ts';
import type { ScheduleQuery } from './execute/query-scheduler.ts';
import { type GraphRequest, graphResponse, withCost } from './graph-response.ts';
import { createUseRecorder } from './record-use.ts';
import type { TrustedDocuments } from './trusted/trusted-documents.ts';
import type { UsageCounter } from './usage/count-usage.ts';

type YogaContext = Context & { graphRequest: GraphRequest };

export type ExecuteGraphRequest = (
  negotiated: { method: 'GET' | 'POST'; accept: AnswerType },
  admitted: Context,
  graphRequest: GraphRequest,
) => Promise<Response>;

/**
 * Parses, validates, limits and executes operations. The handler has already read the body and the
 * headers of the request, so Yoga gets neither.
 */
export function createGraphYoga({
  executor,
  trusted,
  introspection,
  usage,
  schedule,
}: {
  executor: Executor;
  usage: Pick<UsageCounter, 'count'>;
  trusted: TrustedDocuments;
  introspection: boolean;
  schedule: ScheduleQuery;
}): ExecuteGraphRequest {
  const { schema } = executor;
  const recentDocuments = createLruCache<DocumentNode>(graphLimits.documentsCachedMax);
  const documents = {
    get: (text: string) => trusted.documentOf(text) ?? recentDocuments.get(text),
    set: recentDocuments.set,
  };
  const checkDocument = createDocumentCheck(schema, { introspection });
  const recordUse = createUseRecorder({ schema, usage });

  const checkRequest = (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
    graphRequest: GraphRequest,
  ): VariableCheck => {
    const { faults, cost } = checkVariables(schema, document, operation, variables);
    if (cost > 0 || faults.length === 0) graphRequest.cost = cost;
    return { faults, cost };
  };
  const checkArgs = (
    { document, operationName, variableValues }: ExecutionArgs,
    graphRequest: GraphRequest,
  ): VariableCheck => {
    const operation = getOperationAST(document, operationName);
    return operation
      ? checkRequest(document, operation, variableValues ?? {}, graphRequest)
      : { faults: [], cost: 0 };
  };

  /**
   * Executes a compiled query whose document Yoga has parsed and validated before. Undefined if
   * Yoga must execute it.
   */
  async function executeCompiled(
    graphRequest: GraphRequest,
    context: Context,
  ): Promise<ExecutionResult | undefined> {
    const { query, operationName, variables } = graphRequest.params;
    const document = documents.get(query);
    if (!document || !executor.isCompiled(document)) return undefined;
    const operation = getOperationAST(document, operationName);
    if (!operation) return undefined;
    const { faults, cost } = checkRequest(document, operation, variables, graphRequest);
    if (faults.length > 0) return undefined;
    recordUse(document, operation, graphRequest);
    const result = await schedule(context, cost, () =>
      executor.execute({ document, context, variables }),
    );
    if (!result.errors) return result;
    const { requestId, log } = context;
    const errors = maskErrors(result.errors, {
      schema,
      executed: result.data !== undefined,
      requestId,
      log,
    });
    return { errors, ...(result.data === undefined ? {} : { data: result.data }) };
  }

  const limitsPlugin: Plugin<YogaContext, YogaContext> = {
    onRequestParse: ({ serverContext, setRequestParser }) =>
      setRequestParser(() => serverContext.graphRequest.params),
    onParse: ({ setParseFn, context }) => {
      setParseFn((source, options) => parse(source, { ...options, maxTokens: graphLimits.tokens }));
      // Yoga would only say that it cannot determine the operation.
      return ({ result }) => {
        const { operationName } = context.graphRequest.params;
        const fault = isDocument(result) ? operationFault(result, operationName) : undefined;
        if (fault) throw errorOf(fault);
      };
    },
    onValidate: ({ setValidationFn }) => setValidationFn((_, document) => checkDocument(document)),
    onExecute: ({ args, setExecuteFn, setResultAndStopExecution }) => {
      const context = args.contextValue;
      const { faults, cost } = checkArgs(args, context.graphRequest);
      if (faults.length > 0) return setResultAndStopExecution({ errors: faults.map(errorOf) });
      const operation = getOperationAST(args.document, args.operationName);
      recordUse(args.document, operation, context.graphRequest);
      const run = () =>
        executor.execute({
          document: args.document,
          operationName: args.operationName,
          context,
          variables: { ...args.variableValues },
        });
      const isQuery = operation?.operation === 'query';
      // A mutation can answer with a new key or a link that signs in.
      if (!isQuery) context.graphRequest.headers['cache-control'] = secretAnswer;
      setExecuteFn(isQuery ? () => schedule(context, cost, run) : run);
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const { request, requestId, log } = args.contextValue;
      const acceptsStream = request.headers.get('accept') === eventStreamType;
      const faults = acceptsStream
        ? checkArgs(args, args.contextValue.graphRequest).faults
        : [streamNotAccepted];
      if (faults.length > 0) setResultAndStopExecution({ errors: faults.map(errorOf) });
      else
        recordUse(
          args.document,
          getOperationAST(args.document, args.operationName),
          args.contextValue.graphRequest,
        );
      const mask = (errors: readonly GraphQLError[]) =>
        maskErrors(errors, { schema, executed: true, requestId, log });
      return {
        onSubscribeResult: ({ result, setResult }) => {
          if (isStream(result)) setResult(maskStreamErrors(result, mask));
        },
      };
    },
    onResultProcess: ({
      request,
      result,
      setResult,
      setResultProcessor,
      serverContext: { requestId, log, graphRequest },
    }) => {
      if (!isPlainResult(result)) return;
      if (result.errors) {
        setResult({
          ...withCost(result, graphRequest),
          errors: maskErrors(result.errors, {
            schema,
            executed: 'data' in result,
            requestId,
            log,
            inStream: request.headers.get('accept') === eventStreamType,
          }),
        });
        return;
      }
      const type = request.headers.get('accept') ?? '';
      if (type !== eventStreamType)
        setResultProcessor(() => graphResponse(result, type, graphRequest), type);
    },
  };

  // `YogaServer` without the HTTP adapter of `createYoga`: the request pipeline already has one.
  const yoga = new YogaServer<YogaContext, object>({
    schema,
    plugins: [limitsPlugin],
    parserAndValidationCache: {
      documentCache: documents,
      errorCache: createLruCache<Error>(graphLimits.documentsCachedMax),
    },
    // `limitsPlugin` masks errors, because it knows the request that an error belongs to.
    maskedErrors: false,
    batching: false,
    multipart: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
  });

  return async ({ method, accept }, admitted, graphRequest) => {
    const result =
      accept === eventStreamType ? undefined : await executeCompiled(graphRequest, admitted);
    return result
      ? graphResponse(result, accept, graphRequest)
      : yoga.handle(requestFor(method, accept), {
          ...admitted,
          graphRequest,
          waitUntil: () => undefined,
        });
  };
}

const streamNotAccepted: FieldError = {
  field: 'Accept',
  code: 'INVALID',
  message: 'A subscription is answered with an event stream: accept text/event-stream',
};

const isDocument = (result: object): result is DocumentNode =>
  'kind' in result && result.kind === Kind.DOCUMENT;

/** A GraphQL error for one invalid value. */
const errorOf = (fault: FieldError) =>
  new GraphQLError(fault.message, { originalError: new InputError([fault]) });

/** Yoga only needs the method and the response type of the request. */
const requestFor = (method: 'GET' | 'POST', accept: AnswerType): Request =>
  new Request('http://atrium/graphql', { method, headers: { accept } });

const isStream = (result: object): result is AsyncIterable<ExecutionResult> =>
  Symbol.asyncIterator in result;
const isPlainResult = (result: object): result is ExecutionResult =>
  !Array.isArray(result) && !(Symbol.asyncIterator in result);
