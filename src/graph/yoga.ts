import { Request, Response } from '@whatwg-node/fetch';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type Plugin, YogaServer } from 'graphql-yoga';
import { type FieldError, InputError } from '../platform/errors.ts';
import { TextResponse } from '../platform/text-response.ts';
import { type AnswerType, eventStreamType } from './answer-type.ts';
import type { Context } from './context.ts';
import { excessOf } from './document-size.ts';
import type { Executor } from './execute.ts';
import type { GraphQLParams } from './graphql-params.ts';
import { graphLimits } from './limits.ts';
import { nameLiterals } from './literal-faults.ts';
import { createLruCache } from './lru-cache.ts';
import { maskErrors } from './mask-errors.ts';
import { maskStreamErrors } from './mask-stream-errors.ts';
import { costOf } from './query-cost.ts';
import { createQueryTurns } from './query-turns.ts';
import { variableFaults } from './variable-faults.ts';

/** What the door has found out before Yoga is asked, and what the answer must carry. */
type GraphRequest = {
  params: GraphQLParams;
  headers: Record<string, string>;
  setCookies: readonly string[];
};
type Asked = Context & { graphRequest: GraphRequest };

export type AnswerQuestion = (
  asked: { method: 'GET' | 'POST'; accept: AnswerType },
  admitted: Context,
  graphRequest: GraphRequest,
) => Promise<Response>;

/**
 * Parses, validates, weighs and executes. Yoga sees neither the request's body nor its headers: the
 * door has read them.
 */
export function createGraphYoga({
  executor,
  introspection,
}: {
  executor: Executor;
  introspection: boolean;
}): AnswerQuestion {
  const { schema } = executor;
  const documents = createLruCache<DocumentNode>(graphLimits.documentsKept);
  const inTurn = createQueryTurns();
  const rules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];

  // Documents are validated once, so whatever depends on variables is judged for each request.
  const faultsOf = (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
    context: Context,
  ): FieldError[] => {
    const faults = variableFaults(schema, operation, variables);
    if (
      faults.length === 0 &&
      costOf({ schema, document, operation, variables, context }) > graphLimits.cost
    ) {
      const message = `The answer could hold more than ${graphLimits.cost} values; ask for fewer fields or smaller pages`;
      faults.push({ field: 'query', code: 'INVALID', message });
    }
    return faults;
  };
  const faultsOfArgs = (
    { document, operationName, variableValues }: ExecutionArgs,
    context: Context,
  ): FieldError[] => {
    const operation = getOperationAST(document, operationName);
    return operation ? faultsOf(document, operation, variableValues ?? {}, context) : [];
  };

  /**
   * Executes a query whose document Yoga has parsed and validated before, once it is compiled.
   * Undefined where Yoga has to answer.
   */
  async function resultOfKnown(
    { query, operationName, variables }: GraphQLParams,
    context: Context,
  ): Promise<ExecutionResult | undefined> {
    const document = documents.get(query);
    if (!document || !executor.isCompiled(document)) return undefined;
    const operation = getOperationAST(document, operationName);
    if (!operation || faultsOf(document, operation, variables, context).length > 0)
      return undefined;
    const result = await inTurn(context, () => executor.execute({ document, context, variables }));
    if (!result.errors) return result;
    const { requestId, log } = context;
    const errors = maskErrors(result.errors, {
      executed: result.data !== undefined,
      requestId,
      log,
    });
    return { errors, ...(result.data === undefined ? {} : { data: result.data }) };
  }

  const guard: Plugin<Asked, Asked> = {
    onRequestParse: ({ serverContext, setRequestParser }) =>
      setRequestParser(() => serverContext.graphRequest.params),
    onParse: ({ setParseFn }) =>
      setParseFn((source, options) => parse(source, { ...options, maxTokens: graphLimits.tokens })),
    onValidate: ({ setValidationFn }) =>
      setValidationFn((_, document) => {
        const excess = excessOf(document);
        if (excess) return [excess];
        return nameLiterals(
          schema,
          document,
          validate(schema, document, rules, {
            maxErrors: graphLimits.faultsTold,
            hideSuggestions: !introspection,
          }),
        );
      }),
    onExecute: ({ args, setExecuteFn, setResultAndStopExecution }) => {
      const context = args.contextValue;
      const faults = faultsOfArgs(args, context);
      if (faults.length > 0) return setResultAndStopExecution({ errors: faults.map(errorOf) });
      const run = () =>
        executor.execute({
          document: args.document,
          operationName: args.operationName,
          context,
          variables: { ...args.variableValues },
        });
      const isQuery = getOperationAST(args.document, args.operationName)?.operation === 'query';
      setExecuteFn(isQuery ? () => inTurn(context, run) : run);
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const { request, requestId, log } = args.contextValue;
      const streams = request.headers.get('accept') === eventStreamType;
      const faults = streams ? faultsOfArgs(args, args.contextValue) : [noStreamAccepted];
      if (faults.length > 0) setResultAndStopExecution({ errors: faults.map(errorOf) });
      const tell = (errors: readonly GraphQLError[]) =>
        maskErrors(errors, { executed: true, requestId, log });
      return {
        onSubscribeResult: ({ result, setResult }) => {
          if (isStream(result)) setResult(maskStreamErrors(result, tell));
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
          ...result,
          errors: maskErrors(result.errors, { executed: 'data' in result, requestId, log }),
        });
        return;
      }
      const type = request.headers.get('accept') ?? '';
      if (type !== eventStreamType)
        setResultProcessor(() => answerOf(result, type, graphRequest), type);
    },
  };

  // Without the adapter that `createYoga` puts around it: the front door is one.
  const yoga = new YogaServer<Asked, object>({
    schema,
    plugins: [guard],
    parserAndValidationCache: {
      documentCache: documents,
      errorCache: createLruCache<Error>(graphLimits.documentsKept),
    },
    // `guard` masks: it knows the request that an error belongs to.
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
      accept === eventStreamType ? undefined : await resultOfKnown(graphRequest.params, admitted);
    return result
      ? answerOf(result, accept, graphRequest)
      : yoga.handle(requestFor(method, accept), {
          ...admitted,
          graphRequest,
          waitUntil: () => undefined,
        });
  };
}

const noStreamAccepted: FieldError = {
  field: 'Accept',
  code: 'INVALID',
  message: 'A subscription is answered with an event stream: accept text/event-stream',
};

/** One error of GraphQL for each wrong value. */
const errorOf = (fault: FieldError) =>
  new GraphQLError(fault.message, { originalError: new InputError([fault]) });

/** As Yoga would answer what was executed, but in one piece. */
function answerOf(
  result: ExecutionResult,
  type: string,
  { headers, setCookies }: GraphRequest,
): Response {
  headers['content-type'] = `${type}; charset=utf-8`;
  const text = JSON.stringify(result);
  // Lines of the same name have no place among the headers of a text.
  return setCookies.length > 0
    ? new Response(text, { status: 200, headers })
    : new TextResponse(text, { status: 200, headers });
}

/** Yoga needs no more of the request than its method and the type of the answer. */
const requestFor = (method: 'GET' | 'POST', accept: AnswerType): Request =>
  new Request('http://atrium/graphql', { method, headers: { accept } });

const isStream = (result: object): result is AsyncIterable<ExecutionResult> =>
  Symbol.asyncIterator in result;
const isPlainResult = (result: object): result is ExecutionResult =>
  !Array.isArray(result) && !(Symbol.asyncIterator in result);
