import { Response } from '@whatwg-node/fetch';
import type { ByteBudget, Reservation } from '../platform/byte-budget.ts';
import { parseOrigins } from '../platform/cors.ts';
import type { Env } from '../platform/env.ts';
import { AppError, errorCatalogue, inputError } from '../platform/errors.ts';
import type { Handler } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import { TextResponse } from '../platform/text-response.ts';
import type { Admit } from './admission.ts';
import { answerType, eventStreamType } from './answer-type.ts';
import type { Context } from './context.ts';
import { isForgeable } from './cross-site.ts';
import { refusalOf } from './errors.ts';
import type { Executor } from './execute.ts';
import { createGraphiql } from './graphiql.ts';
import { paramsIn, readParams } from './graphql-params.ts';
import { createMutationOnce } from './mutation-once.ts';
import { reserveJsonBody } from './reserve-body.ts';
import { isUploadForm, readUploadForm, type UploadForm } from './upload-form.ts';
import { createGraphYoga } from './yoga.ts';

type GraphParts = {
  executor: Executor;
  admit: Admit;
  budget: ByteBudget;
  /** Keys the records of requests that carry an Idempotency-Key. */
  secret: string;
  env: Pick<Env, 'GRAPHIQL' | 'INTROSPECTION' | 'CORS_ORIGINS' | 'ORIGIN'>;
  log: Log;
};

/**
 * The door of the graph: form, origin, key, limit, then the query. Mounted at /graphql and
 * everything below it.
 */
export function createGraphHandler({
  executor,
  admit,
  budget,
  secret,
  env,
  log,
}: GraphParts): Handler {
  const ask = createGraphYoga({ executor, introspection: env.INTROSPECTION });
  const executeOnce = createMutationOnce({ schema: executor.schema, secret });
  const graphiql = env.GRAPHIQL ? createGraphiql() : undefined;
  const trustedOrigins = [
    ...parseOrigins(env.CORS_ORIGINS),
    ...(env.ORIGIN ? [new URL(env.ORIGIN).origin] : []),
  ];

  return async (request, requestContext) => {
    const { requestId, method, url, headers } = requestContext;
    requestContext.operation = 'graphql';
    const accept = answerType(request.headers.get('accept'));
    headers['cache-control'] = 'no-store';
    headers['x-content-type-options'] = 'nosniff';
    let form: UploadForm | undefined;
    let reservation: Reservation | undefined;
    const setCookies: string[] = [];
    try {
      const page = await graphiql?.(request, url);
      if (page) return withHeaders(page, { ...headers, ...Object.fromEntries(page.headers) });
      if (url.pathname !== '/graphql' && url.pathname !== '/graphql/')
        throw new AppError('NOT_FOUND', 'There is no such path');
      if (method !== 'GET' && method !== 'POST')
        throw new AppError('METHOD_NOT_ALLOWED', 'GraphQL is asked by GET or POST');
      if (isForgeable(request, url, trustedOrigins))
        throw new AppError('FORBIDDEN', 'This request may come from another site');
      const admitted = await admit(request, requestContext, { setCookies });
      const idempotencyKey = method === 'POST' ? request.headers.get('idempotency-key') : null;
      // A file is read while the mutation runs: it cannot be compared with another before.
      if (idempotencyKey !== null && isUploadForm(request))
        throw inputError(
          'Idempotency-Key',
          'INVALID',
          'A form with a file takes no Idempotency-Key over GraphQL; upload over REST, which does, or leave it out',
        );
      form = isUploadForm(request) ? await readUploadForm(request) : undefined;
      if (!form) reservation = reserveJsonBody(request, admitted, budget);
      const params = form ? paramsIn(form.question) : await readParams(request, url);
      const execute = (context: Context) =>
        ask({ method, accept }, context, { params, headers, setCookies });
      const answer = await executeOnce(
        idempotencyKey,
        { params, accept, headers, setCookies },
        admitted,
        execute,
      );
      if (answer instanceof TextResponse) return answer;
      for (const line of setCookies) answer.headers.append('set-cookie', line);
      return withHeaders(answer, headers);
    } catch (error) {
      const { message, ...extensions } = refusalOf(error, { requestId, log });
      const { status } = errorCatalogue[extensions.code];
      const { retryAfterSeconds } = extensions;
      if (status === 401) headers['www-authenticate'] = 'Bearer';
      if (status === 405) headers['allow'] = 'GET, POST';
      if (extensions.code === 'STILL_RUNNING') headers['retry-after'] = '1';
      if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
      headers['content-type'] =
        `${accept === eventStreamType ? 'application/json' : accept}; charset=utf-8`;
      return new Response(JSON.stringify({ errors: [{ message, extensions }] }), {
        status,
        headers,
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
