import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createServerAdapter } from '@whatwg-node/server';
import { acceptedCodings, hasKnownCoding } from './content-coding.ts';
import { corsHeaders, preflight } from './cors.ts';
import { AppError, errorCatalogue, InputError, inputError } from './errors.ts';
import type { Handler, RequestContext } from './http.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { listenerOver, TextResponse } from './text-response.ts';

type FrontDoorParts = {
  handlerFor: (pathname: string) => Handler | undefined;
  /** The foreign origins whose pages may call. */
  origins: readonly string[];
  /** Whether people reach Atrium over https: browsers are then told to use nothing else. */
  isHttps?: boolean;
  isStopping: () => boolean;
  metrics: Metrics;
  log: Log;
};

/**
 * Where every request comes in and every answer goes out: its id, its line in the log, its figures.
 */
export function createFrontDoor({
  handlerFor,
  origins,
  isHttps = false,
  isStopping,
  metrics,
  log,
}: FrontDoorParts) {
  const answer = async (request: Request, requestContext: RequestContext): Promise<Response> => {
    const asked = preflight(request, requestContext.pathname, origins);
    if (asked) {
      asked.headers.set('x-request-id', requestContext.requestId);
      return asked;
    }
    try {
      return await (handlerFor(requestContext.pathname) ?? nothing)(request, requestContext);
    } catch (error) {
      if (error instanceof AppError) return refused(error, requestContext);
      log.error({ requestId: requestContext.requestId, err: error }, 'a handler failed');
      return refused(
        new AppError('INTERNAL', `Internal error; request id ${requestContext.requestId}`),
        requestContext,
      );
    }
  };

  const everyAnswer: Record<string, string> = {
    ...noContent,
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  let inFlight = 0;
  let emptied = Promise.withResolvers<void>();

  const adapter = createServerAdapter<{ req?: IncomingMessage }>(async (request, { req }) => {
    const startedAt = performance.now();
    inFlight += 1;
    metrics.inFlight.inc();
    const requestId = randomUUID();
    const headers: Record<string, string> = {
      'x-request-id': requestId,
      ...everyAnswer,
      ...corsHeaders(request.headers.get('origin'), origins),
    };
    if (isStopping()) headers['connection'] = 'close';
    if (!hasKnownCoding(request.headers)) headers['accept-encoding'] = acceptedCodings;
    const requestContext = new FrontDoorContext(
      request,
      requestId,
      headers,
      req?.socket.remoteAddress,
    );
    const fault = req && faultOf(req);
    const response = fault ? refused(fault, requestContext) : await answer(request, requestContext);
    inFlight -= 1;
    metrics.inFlight.dec();
    if (inFlight === 0) emptied.resolve();
    const { method, operation, caller } = requestContext;
    const { status } = response;
    const ms = performance.now() - startedAt;
    metrics.requests.inc({ operation, status });
    metrics.duration.observe({ operation }, ms / 1000);
    log.info(
      { requestId, method, operation, status, caller, ms: Math.round(ms * 100) / 100 },
      'answered',
    );
    return response;
  });
  return {
    fetch: adapter.fetch,
    /**
     * Waits, but not for long, until nothing is being answered, not even for those who were cut
     * off: what they began is taken back first.
     */
    async settled(): Promise<void> {
      emptied = Promise.withResolvers();
      if (inFlight > 0)
        await Promise.race([emptied.promise, wait(settleMs, undefined, { ref: false })]);
    },
    listener: listenerOver((req, res) => adapter.handleNodeRequestAndResponse(req, res, { req })),
  };
}

/**
 * For browsers: what is no page of ours loads nothing, is shown inside of nothing and is never
 * taken for another type. Pages replace the policy.
 */
const noContent = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const settleMs = 500;
// The address is put together from the host and the path: with one of these the host would say
// where the path begins.
const movesPath = /[/?#\\@]/;
const noHost = 'The Host header is not a valid host';

/**
 * What is wrong with a request whatever it asks for (RFC 9112, section 3.2, and RFC 9110, section
 * 10.1.1).
 */
function faultOf({
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
  if (movesPath.test(host ?? '')) return inputError('Host', 'INVALID_FORMAT', noHost);
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new AppError('EXPECTATION_FAILED', 'The only expectation that is met is 100-continue');
  return undefined;
}

const noQuery = new URLSearchParams();

/**
 * Most requests are known by their path alone: the address is taken apart only for who asks for
 * more.
 */
class FrontDoorContext implements RequestContext {
  readonly method: string;
  readonly pathname: string;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  readonly clientAddress: string | undefined;
  readonly #address: string;
  readonly #queryStart: number;
  operation = 'none';
  caller: string | undefined;

  constructor(
    { method, url }: Request,
    requestId: string,
    headers: Record<string, string>,
    clientAddress: string | undefined,
  ) {
    const pathStart = url.indexOf('/', url.indexOf('://') + 3);
    this.#address = url;
    this.#queryStart = url.indexOf('?', pathStart);
    this.method = method;
    this.pathname =
      this.#queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, this.#queryStart);
    this.requestId = requestId;
    this.headers = headers;
    this.clientAddress = clientAddress;
  }

  get url(): URL {
    const url = URL.parse(this.#address);
    if (!url) throw inputError('Host', 'INVALID_FORMAT', noHost);
    return url;
  }

  get query(): URLSearchParams {
    return this.#queryStart < 0
      ? noQuery
      : new URLSearchParams(this.#address.slice(this.#queryStart));
  }
}

const nothing: Handler = async (_, requestContext) =>
  refused(new AppError('NOT_FOUND', 'There is nothing here'), requestContext);

function refused(
  error: AppError,
  { requestId, headers }: Pick<RequestContext, 'requestId' | 'headers'>,
): Response {
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['cache-control'] = 'no-store';
  const body = {
    status: 'error',
    message: error.message,
    code: error.code,
    requestId,
    ...(error instanceof InputError ? { errors: error.errors } : {}),
  };
  return new TextResponse(JSON.stringify(body), {
    status: errorCatalogue[error.code].status,
    headers,
  });
}
