import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createServerAdapter } from '@whatwg-node/server';
import { AppError, inputError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Span } from '../platform/telemetry/spans.ts';
import { compressResponse } from './compression.ts';
import { acceptedCodings, hasKnownCoding } from './content-coding.ts';
import { corsHeaders, preflight } from './cors.ts';
import { errorResponse } from './error-response.ts';
import type { GraphOperation, RequestContext, RequestHandler } from './request-context.ts';
import { requestIdOf } from './request-id.ts';
import { describeRequest, runInRequestSpan } from './request-span.ts';
import { createListener } from './text-response.ts';

type RequestPipelineDependencies = {
  handlerFor: (pathname: string) => RequestHandler | undefined;
  /** Other origins whose pages may call the API. */
  origins: readonly string[];
  /** Whether ORIGIN is an https address: browsers are then told to use only HTTPS. */
  isHttps?: boolean;
  isStopping: () => boolean;
  /** Whether responses are compressed. Not between parts, which are on the same machine or network. */
  compresses?: boolean;
  metrics: Metrics;
  log: Log;
  /** The level of the line that each request writes; `debug` for calls between parts. */
  requestLevel?: RequestLevel | undefined;
};

export type RequestLevel = 'info' | 'debug';

/**
 * The first and last step of every request: it assigns the request id, catches errors, adds the
 * common response headers, writes the log entry and updates the metrics.
 */
export function createRequestPipeline({
  handlerFor,
  origins,
  isHttps = false,
  isStopping,
  compresses = false,
  metrics,
  log,
  requestLevel = 'info',
}: RequestPipelineDependencies) {
  const answer = async (request: Request, requestContext: RequestContext): Promise<Response> => {
    const preflightResponse = preflight(request, requestContext.pathname, origins);
    if (preflightResponse) {
      preflightResponse.headers.set('x-request-id', requestContext.requestId);
      return preflightResponse;
    }
    try {
      return await (handlerFor(requestContext.pathname) ?? notFoundHandler)(
        request,
        requestContext,
      );
    } catch (error) {
      if (error instanceof AppError) return errorResponse(error, requestContext, log);
      const { requestId } = requestContext;
      log.error({ requestId, err: error }, 'a request handler failed');
      return errorResponse(
        new AppError('INTERNAL', `Internal error; request id ${requestId}`),
        requestContext,
        log,
      );
    }
  };

  const baseHeaders: Record<string, string> = {
    ...securityHeaders,
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  let inFlight = 0;
  let drained = Promise.withResolvers<void>();

  const respond = async (
    request: Request,
    req: IncomingMessage | undefined,
    span: Span | undefined,
  ): Promise<Response> => {
    const startedAt = performance.now();
    inFlight += 1;
    metrics.inFlight.inc();
    const requestId = requestIdOf(request.headers);
    const headers: Record<string, string> = {
      'x-request-id': requestId,
      ...baseHeaders,
      ...corsHeaders(request.headers.get('origin'), origins),
    };
    if (isStopping()) headers['connection'] = 'close';
    if (!hasKnownCoding(request.headers)) headers['accept-encoding'] = acceptedCodings;
    const requestContext = new PipelineContext(request, requestId, headers, req);
    const error = req && validate(req);
    const plainResponse = error
      ? errorResponse(error, requestContext, log)
      : await answer(request, requestContext);
    const response = compresses ? await compressResponse(request, plainResponse) : plainResponse;
    requestContext.ended?.();
    inFlight -= 1;
    metrics.inFlight.dec();
    if (inFlight === 0) drained.resolve();
    const { method, operation, caller } = requestContext;
    const { status } = response;
    const ms = performance.now() - startedAt;
    metrics.requests.inc({ operation, status });
    metrics.duration.observe({ operation }, ms / 1000);
    describeRequest(span, request, requestContext, { status, seconds: ms / 1000 });
    log[requestLevel](
      { requestId, method, operation, status, caller, ms: Math.round(ms * 100) / 100 },
      'answered',
    );
    return response;
  };
  const adapter = createServerAdapter<{ req?: IncomingMessage }>((request, { req }) =>
    runInRequestSpan(request, (span) => respond(request, req, span)),
  );
  return {
    fetch: adapter.fetch,
    /**
     * Waits up to 500 ms until no request is in progress, including those whose connections were
     * closed: their transactions are rolled back first.
     */
    async settled(): Promise<void> {
      drained = Promise.withResolvers();
      if (inFlight > 0)
        await Promise.race([drained.promise, wait(settleMs, undefined, { ref: false })]);
    },
    listener: createListener((req, res) => {
      if (!req.url?.startsWith('/')) toOriginForm(req);
      return adapter.handleNodeRequestAndResponse(req, res, { req });
    }),
  };
}

/**
 * Restrictive defaults for browsers: a response that is not a page loads nothing, cannot be framed,
 * and is never interpreted as another type. Pages replace the policy.
 */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * A client may send the whole URL as the target of its request, as to a proxy. The host in it then
 * replaces the Host header, without which the request stays invalid (RFC 9112, section 3.2.2).
 */
function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  const [, host, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (host === undefined || headers.host === undefined) return;
  headers.host = host;
  request.url = path.startsWith('/') ? path : `/${path}`;
}

const settleMs = 500;
// The URL is built from the Host header and the path, so a host with one of these characters could
// move the start of the path.
const pathDelimiters = /[/?#\\@]/;
const invalidHostMessage = 'The Host header is not a valid host';

/**
 * Checks that apply to every request, whatever its path (RFC 9112, section 3.2, and RFC 9110,
 * section 10.1.1).
 */
function validate({
  headers: { host, expect },
  rawHeaders,
  httpVersion,
}: IncomingMessage): AppError | undefined {
  if (host === undefined && httpVersion !== '1.0')
    return inputError('Host', 'REQUIRED', 'The request has no Host header');
  if (
    rawHeaders.filter(
      (name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
    ).length > 1
  )
    return inputError('Host', 'REPEATED', 'The request has more than one Host header');
  if (pathDelimiters.test(host ?? ''))
    return inputError('Host', 'INVALID_FORMAT', invalidHostMessage);
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new AppError('EXPECTATION_FAILED', 'The only expectation that is met is 100-continue');
  return undefined;
}

const emptyQuery = new URLSearchParams();

/** Most requests need only the path, so the full URL is parsed only on access. */
class PipelineContext implements RequestContext {
  readonly method: string;
  readonly pathname: string;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  readonly clientAddress: string | undefined;
  readonly #address: string;
  readonly #queryStart: number;
  readonly #incoming: IncomingMessage | undefined;
  operation = 'none';
  route: string | undefined;
  graphOperation: GraphOperation | undefined;
  caller: string | undefined;
  ended: (() => void) | undefined;

  constructor(
    { method, url }: Request,
    requestId: string,
    headers: Record<string, string>,
    incoming: IncomingMessage | undefined,
  ) {
    const pathStart = url.indexOf('/', url.indexOf('://') + 3);
    this.#address = url;
    this.#queryStart = url.indexOf('?', pathStart);
    this.method = method;
    this.pathname =
      this.#queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, this.#queryStart);
    this.requestId = requestId;
    this.headers = headers;
    this.clientAddress = incoming?.socket.remoteAddress;
    this.#incoming = incoming;
  }

  hasArrived(): boolean {
    return this.#incoming?.complete ?? true;
  }

  get url(): URL {
    const url = URL.parse(this.#address);
    if (!url) throw inputError('Host', 'INVALID_FORMAT', invalidHostMessage);
    return url;
  }

  get query(): URLSearchParams {
    return this.#queryStart < 0
      ? emptyQuery
      : new URLSearchParams(this.#address.slice(this.#queryStart));
  }
}

const notFoundHandler: RequestHandler = async () => {
  throw new AppError('NOT_FOUND', 'There is nothing here');
};
