import type { Context } from '../access/context.ts';
import { toClientError } from '../http/client-error.ts';
import { errorBodyOf } from '../http/error-response.ts';
import { acceptsEvents, eventText } from '../http/event-stream.ts';
import { jsonResponse } from '../http/json-response.ts';
import type { RequestContext } from '../http/request-context.ts';
import { inputError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { RouteMatch } from './load-routes.ts';
import type { RequestInput } from './request-input.ts';
import { requestedFormat, rowResponse } from './row-export.ts';
import type { LoadedSubscription } from './subscription.ts';
import { subscriptionStream } from './subscription-stream.ts';

/** The calls for runs that were started before. */
const runsPath = '/api/assistants/v1/runs';

/** The answers of REST that are sent piece by piece: events of runs and rows of lists. */
export function createStreamResponses(log: Log) {
  function startUnrepeatableStream(
    subscription: LoadedSubscription,
    { key, variables }: RequestInput,
    requestContext: RequestContext,
    context: Context,
  ): Promise<Response> {
    if (key !== undefined)
      throw inputError(
        'Idempotency-Key',
        'INVALID',
        'An event stream cannot be repeated: leave out the Idempotency-Key, or accept application/json',
      );
    return startStream(subscription, variables, requestContext, context);
  }

  async function startStream(
    { start }: LoadedSubscription,
    variables: Record<string, unknown>,
    { requestId, headers }: RequestContext,
    context: Context,
  ): Promise<Response> {
    const results = await start(context, variables);
    if (!(Symbol.asyncIterator in results))
      throw results.errors?.[0] ?? new Error('The subscription gave no events');
    const toErrorEvent = (error: unknown) => ({
      name: 'error',
      data: errorBodyOf(toClientError(error, { requestId, log })),
    });
    return subscriptionStream(results, { headers, write: eventText, toErrorEvent });
  }

  /** Answers a request that has started a durable run: with its id, or with its events. */
  function acceptedResponse(
    events: LoadedSubscription,
    text: string,
    request: Request,
    requestContext: RequestContext,
    context: Context,
  ): Response | Promise<Response> {
    const { headers } = requestContext;
    const { runId }: { runId: string } = JSON.parse(text);
    headers['location'] = `${runsPath}/${runId}`;
    headers['preference-applied'] = 'respond-async';
    return acceptsEvents(request.headers)
      ? startStream(events, { runId }, requestContext, context)
      : jsonResponse(202, text, headers);
  }

  /** Sends the rows of a list as text, if the client wants them in such a format. */
  async function exportRows(
    { route: { operation, rowExport, segments, definition }, params }: RouteMatch,
    { variables }: Pick<RequestInput, 'variables'>,
    request: Request,
    { requestId, query, headers }: RequestContext,
    context: Context,
  ): Promise<Response | undefined> {
    const format = rowExport && requestedFormat(query, request.headers.get('accept'));
    if (!rowExport || !format) return undefined;
    const results = await rowExport.start(context, variables);
    if (!(Symbol.asyncIterator in results))
      throw results.errors?.[0] ?? new Error(`${operation.name} gave no rows`);
    const { columns } = rowExport;
    const name =
      definition.rowsName?.replace(/:(\w+)/, (_, parameter) => params[parameter] ?? '') ??
      segments.at(-1) ??
      'rows';
    return rowResponse({
      ...{ results, columns, format, name, headers, method: request.method },
      // Logs an unexpected error.
      onError: (error) => toClientError(error, { requestId, log }),
    });
  }

  return { startUnrepeatableStream, acceptedResponse, exportRows };
}
