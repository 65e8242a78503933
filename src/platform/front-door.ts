import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
import { corsHeaders, preflight } from './cors.ts';
import type { Handler, Visit } from './http.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

type FrontDoorParts = {
  handlerFor: (pathname: string) => Handler | undefined;
  /** The foreign origins whose pages may call. */
  origins: readonly string[];
  isStopping: () => boolean;
  metrics: Metrics;
  log: Log;
};

/** Where every request comes in and every answer goes out: its id, its line in the log, its figures. */
export function createFrontDoor({ handlerFor, origins, isStopping, metrics, log }: FrontDoorParts) {
  const answer = async (request: Request, visit: Visit): Promise<Response> => {
    const asked = preflight(request, visit.url.pathname, origins);
    if (asked) {
      asked.headers.set('x-request-id', visit.requestId);
      return asked;
    }
    try {
      return await (handlerFor(visit.url.pathname) ?? nothing)(request, visit);
    } catch (error) {
      log.error({ requestId: visit.requestId, err: error }, 'a handler failed');
      return said(500, `Internal error; request id ${visit.requestId}`, visit.headers);
    }
  };

  return createServerAdapter<{ req?: IncomingMessage }>(async (request, { req }) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const headers: Record<string, string> = { 'x-request-id': requestId, ...corsHeaders(request.headers.get('origin'), origins) };
    if (isStopping()) headers['connection'] = 'close';
    const visit: Visit = {
      requestId,
      method: request.method,
      url: new URL(request.url),
      headers,
      operation: 'none',
      clientAddress: req?.socket.remoteAddress,
    };
    const response = await answer(request, visit);
    const { method, operation } = visit;
    const { status } = response;
    const ms = performance.now() - startedAt;
    metrics.requests.inc({ operation, status });
    metrics.duration.observe({ operation }, ms / 1000);
    log.info({ requestId, method, operation, status, ms: Math.round(ms * 100) / 100 }, 'answered');
    return response;
  });
}

const nothing: Handler = async (_, { headers }) => said(404, 'There is nothing here', headers);

const said = (status: number, text: string, headers: Record<string, string>) =>
  new Response(`${text}\n`, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } });
