import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Response } from '@whatwg-node/fetch';
import { createServerAdapter } from '@whatwg-node/server';
import { corsHeaders, preflight } from './cors.ts';
import type { Handler, Visit } from './http.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { listenerOver } from './text-response.ts';

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
    const asked = preflight(request, visit.pathname, origins);
    if (asked) {
      asked.headers.set('x-request-id', visit.requestId);
      return asked;
    }
    try {
      return await (handlerFor(visit.pathname) ?? nothing)(request, visit);
    } catch (error) {
      log.error({ requestId: visit.requestId, err: error }, 'a handler failed');
      return said(500, `Internal error; request id ${visit.requestId}`, visit.headers);
    }
  };

  const adapter = createServerAdapter<{ req?: IncomingMessage }>(async (request, { req }) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const headers: Record<string, string> = { 'x-request-id': requestId, ...corsHeaders(request.headers.get('origin'), origins) };
    if (isStopping()) headers['connection'] = 'close';
    const visit = new FrontVisit(request, requestId, headers, req?.socket.remoteAddress);
    const response = await answer(request, visit);
    const { method, operation } = visit;
    const { status } = response;
    const ms = performance.now() - startedAt;
    metrics.requests.inc({ operation, status });
    metrics.duration.observe({ operation }, ms / 1000);
    log.info({ requestId, method, operation, status, ms: Math.round(ms * 100) / 100 }, 'answered');
    return response;
  });
  return { fetch: adapter.fetch, listener: listenerOver((req, res) => adapter.handleNodeRequestAndResponse(req, res, { req })) };
}

const noQuery = new URLSearchParams();

/** Most requests are known by their path alone: the address is taken apart only for who asks for more. */
class FrontVisit implements Visit {
  readonly method: string;
  readonly pathname: string;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  readonly clientAddress: string | undefined;
  readonly #address: string;
  readonly #queryStart: number;
  operation = 'none';

  constructor({ method, url }: Request, requestId: string, headers: Record<string, string>, clientAddress: string | undefined) {
    const pathStart = url.indexOf('/', url.indexOf('://') + 3);
    this.#address = url;
    this.#queryStart = url.indexOf('?', pathStart);
    this.method = method;
    this.pathname = this.#queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, this.#queryStart);
    this.requestId = requestId;
    this.headers = headers;
    this.clientAddress = clientAddress;
  }

  get url(): URL {
    return new URL(this.#address);
  }

  get query(): URLSearchParams {
    return this.#queryStart < 0 ? noQuery : new URLSearchParams(this.#address.slice(this.#queryStart));
  }
}

const nothing: Handler = async (_, { headers }) => said(404, 'There is nothing here', headers);

const said = (status: number, text: string, headers: Record<string, string>) =>
  new Response(`${text}\n`, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } });
