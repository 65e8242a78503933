import type { AdmitRequest } from '../access/admission.ts';
import type { Context } from '../access/context.ts';
import { reserveJsonBody } from '../access/reserve-body.ts';
import type { ByteBudget, ByteReservation } from '../http/byte-budget.ts';
import { parseOrigins } from '../http/cors.ts';
import { isForgeable } from '../http/cross-site.ts';
import { errorResponse } from '../http/error-response.ts';
import { hasPreference } from '../http/prefer.ts';
import type { RequestHandler } from '../http/request-context.ts';
import { MethodNotAllowed, noSuchPath } from '../http/router.ts';
import { TextResponse } from '../http/text-response.ts';
import { isUploadForm } from '../http/upload.ts';
import type { Env } from '../platform/env.ts';
import { AppError, inputError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { answerType, eventStreamType } from './answer-type.ts';
import { extensionsOf } from './document/error-extensions.ts';
import type { Executor } from './execute/execute.ts';
import { createQueryScheduler } from './execute/query-scheduler.ts';
import type { GraphRequest } from './graph-response.ts';
import { createGraphiql } from './graphiql.ts';
import { checkParams, readParams } from './graphql-params.ts';
import { createIdempotentMutations } from './idempotent-mutations.ts';
import type { LiveQueries } from './live/live-queries.ts';
import type { SourceOf } from './live/read-sources.ts';
import { createOpenLiveQuery } from './open-live-query.ts';
import { createDocumentResolver, UnknownDocument } from './resolve-document.ts';
import type { TrustedDocuments } from './trusted/trusted-documents.ts';
import { readUploadForm, type UploadForm } from './upload-form.ts';
import type { UsageCounter } from './usage/count-usage.ts';
import { createGraphYoga } from './yoga.ts';

type GraphHandlerDependencies = {
  usage: Pick<UsageCounter, 'count'>;
  executor: Executor;
  trusted: TrustedDocuments;
  metrics: Metrics;
  admit: AdmitRequest;
  budget: ByteBudget;
  liveQueries: LiveQueries;
  /** What changes the objects of a type. */
  sourceOf: SourceOf;
  /** Secret for the encrypted records of requests with an Idempotency-Key. */
  secret: string;
  env: Pick<
    Env,
    'GRAPHIQL' | 'INTROSPECTION' | 'CORS_ORIGINS' | 'ORIGIN' | 'GRAPHQL_DOCUMENT_POLICY'
  >;
  log: Log;
};

/**
 * Handles /graphql and everything below it: checks the request and its origin, admits the sender,
 * then executes the operation.
 */
export function createGraphHandler({
  usage,
  executor,
  trusted,
  metrics,
  admit,
  budget,
  liveQueries,
  sourceOf,
  secret,
  env,
  log,
}: GraphHandlerDependencies): RequestHandler {
  const execution = {
    ...{ executor, trusted, usage, introspection: env.INTROSPECTION },
    schedule: createQueryScheduler(),
  };
  const executeRequest = createGraphYoga(execution);
  const openLiveQuery = createOpenLiveQuery({ ...execution, liveQueries, sourceOf });
  const resolveDocument = createDocumentResolver({
    trusted,
    policies: env.GRAPHQL_DOCUMENT_POLICY,
    metrics,
    log,
  });
  const executeMutationOnce = createIdempotentMutations({ schema: executor.schema, secret });
  const graphiql = env.GRAPHIQL ? createGraphiql() : undefined;
  const trustedOrigins = [
    ...parseOrigins(env.CORS_ORIGINS),
    ...(env.ORIGIN ? [new URL(env.ORIGIN).origin] : []),
  ];

  return async (request, requestContext) => {
    const { method, url, headers } = requestContext;
    requestContext.operation = 'graphql';
    requestContext.route = '/graphql';
    const accept = answerType(request.headers.get('accept'));
    headers['cache-control'] = 'no-store';
    headers['x-content-type-options'] = 'nosniff';
    let form: UploadForm | undefined;
    let reservation: ByteReservation | undefined;
    const setCookies: string[] = [];
    try {
      const page = await graphiql?.(request, url);
      if (page) return withHeaders(page, { ...headers, ...Object.fromEntries(page.headers) });
      if (url.pathname !== '/graphql' && url.pathname !== '/graphql/') throw noSuchPath();
      if (method !== 'GET' && method !== 'POST')
        throw new MethodNotAllowed('GET, POST', 'GraphQL accepts only GET and POST');
      if (isForgeable(request, url, trustedOrigins))
        throw new AppError('FORBIDDEN', 'This request may come from another site', 'FOREIGN_SITE');
      const admitted = await admit(request, requestContext, { setCookies });
      const idempotencyKey = method === 'POST' ? request.headers.get('idempotency-key') : null;
      // The file is read while the mutation runs, so it cannot be compared with an earlier one
      // beforehand.
      if (idempotencyKey !== null && isUploadForm(request))
        throw inputError(
          'Idempotency-Key',
          'INVALID',
          'A form with a file takes no Idempotency-Key over GraphQL; upload over REST, which does, or leave it out',
        );
      form = isUploadForm(request) ? await readUploadForm(request) : undefined;
      if (!form) reservation = reserveJsonBody(request, admitted, budget);
      const sentParams = form ? checkParams(form.operation) : await readParams(request, url);
      const current = { ...admitted, viewer: await admitted.currentViewer() };
      const { params, isById } = resolveDocument(sentParams, current);
      const wantsCost = hasPreference(request.headers, 'cost');
      const execute = async (context: Context) => {
        const graphRequest: GraphRequest = {
          ...{ params, headers, setCookies, wantsCost },
          ...(method === 'GET' && isById
            ? { ifNoneMatch: request.headers.get('if-none-match') }
            : {}),
        };
        const liveResponse =
          accept === eventStreamType ? await openLiveQuery(context, graphRequest) : undefined;
        const response =
          liveResponse ?? (await executeRequest({ method, accept }, context, graphRequest));
        requestContext.graphOperation = graphRequest.operation;
        return response;
      };
      const answer = await executeMutationOnce(
        idempotencyKey,
        { params, accept, headers, setCookies },
        current,
        execute,
      );
      if (answer instanceof TextResponse) return answer;
      for (const line of setCookies) answer.headers.append('set-cookie', line);
      return withHeaders(answer, headers);
    } catch (error) {
      return errorResponse(error, requestContext, log, {
        body: (refusal) => ({
          errors: [{ message: refusal.message, extensions: extensionsOf(refusal) }],
        }),
        type: `${accept === eventStreamType ? 'application/json' : accept}; charset=utf-8`,
        status: error instanceof UnknownDocument ? error.statusFor(accept) : undefined,
      });
    } finally {
      form?.release();
      reservation?.release();
    }
  };
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
