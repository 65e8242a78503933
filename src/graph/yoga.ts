import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type Plugin, YogaServer } from 'graphql-yoga';
import { TextResponse } from '../platform/text-response.ts';
import { eventStreamType } from './answer-type.ts';
import type { Context } from './context.ts';
import { excessOf } from './document-size.ts';
import { createExecute } from './execute.ts';
import type { GraphQLParams } from './graphql-params.ts';
import { graphLimits } from './limits.ts';
import { createMemory } from './memory.ts';
import { costOf } from './query-cost.ts';
import { tellErrors } from './tell-errors.ts';
import { toldStream } from './told-stream.ts';
import { variableFaults } from './variable-faults.ts';

/** What the door has found out before Yoga is asked, and what the answer must carry. */
type Visit = { params: GraphQLParams; headers: Record<string, string>; setCookies: readonly string[] };
type Asked = Context & { visit: Visit };

export type AnswerQuestion = (request: Request, admitted: Context, visit: Visit) => Promise<Response>;

/** Parses, validates, weighs and executes. Yoga sees neither the request's body nor its headers: the door has read them. */
export function createGraphYoga({ schema, introspection }: { schema: GraphQLSchema; introspection: boolean }): AnswerQuestion {
  const execute = createExecute(schema);
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];

  // Yoga keeps what validation found for a document, so whatever depends on variables is judged for each request.
  const faultsOf = ({ document, operationName, variableValues }: ExecutionArgs, context: Context): string[] => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return [];
    const variables = variableValues ?? {};
    const faults = variableFaults(schema, operation, variables);
    if (faults.length === 0 && costOf({ schema, document, operation, variables, context }) > graphLimits.cost) {
      faults.push(`The answer could hold more than ${graphLimits.cost} values; ask for fewer fields or smaller pages`);
    }
    return faults;
  };

  const guard: Plugin<Asked, Asked> = {
    onRequestParse: ({ serverContext, setRequestParser }) => setRequestParser(() => serverContext.visit.params),
    onParse: ({ setParseFn }) => setParseFn((source, options) => parse(source, { ...options, maxTokens: graphLimits.tokens })),
    onValidate: ({ setValidationFn }) =>
      setValidationFn((_, document) => {
        const excess = excessOf(document);
        return excess ? [excess] : validate(schema, document, rules, { maxErrors: graphLimits.faultsTold, hideSuggestions: !introspection });
      }),
    onExecute: ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
      const faults = faultsOf(args, args.contextValue);
      if (faults.length > 0) setResultAndStopExecution({ errors: faults.map((fault) => new GraphQLError(fault)) });
      else setExecuteFn((asked: ExecutionArgs) => execute(asked, executeFn));
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const { request, requestId, log } = args.contextValue;
      const streams = request.headers.get('accept') === eventStreamType;
      const faults = streams ? faultsOf(args, args.contextValue) : ['A subscription is answered with an event stream: accept text/event-stream'];
      if (faults.length > 0) setResultAndStopExecution({ errors: faults.map((fault) => new GraphQLError(fault)) });
      const tell = (errors: readonly GraphQLError[]) => tellErrors(errors, { executed: true, requestId, log });
      return {
        onSubscribeResult: ({ result, setResult }) => {
          if (isStream(result)) setResult(toldStream(result, tell));
        },
      };
    },
    onResultProcess: ({ request, result, setResult, setResultProcessor, serverContext: { requestId, log, visit } }) => {
      if (!isPlainResult(result)) return;
      if (result.errors) {
        setResult({ ...result, errors: tellErrors(result.errors, { executed: 'data' in result, requestId, log }) });
        return;
      }
      const type = request.headers.get('accept') ?? '';
      if (type === eventStreamType || visit.setCookies.length > 0) return;
      // As Yoga would answer what holds no error, but in one piece.
      const write = () => {
        visit.headers['content-type'] = `${type}; charset=utf-8`;
        return new TextResponse(JSON.stringify(result), { status: 200, headers: visit.headers });
      };
      setResultProcessor(write, type);
    },
  };

  // Without the adapter that `createYoga` puts around it: the front door is one.
  const yoga = new YogaServer<Asked, object>({
    schema,
    plugins: [guard],
    parserAndValidationCache: {
      documentCache: createMemory<DocumentNode>(graphLimits.documentsKept),
      errorCache: createMemory<Error>(graphLimits.documentsKept),
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
  return async (request, admitted, visit) => yoga.handle(request, { ...admitted, visit, waitUntil: () => undefined });
}

const isStream = (result: object): result is AsyncIterable<ExecutionResult> => Symbol.asyncIterator in result;
const isPlainResult = (result: object): result is ExecutionResult => !Array.isArray(result) && !(Symbol.asyncIterator in result);
