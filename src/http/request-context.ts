export type GraphOperation = { type: string; name: string | undefined };

/**
 * What the request pipeline knows about a request. Handlers add response headers to `headers`, and
 * set `operation` for the log and the metrics.
 */
export type RequestContext = {
  requestId: string;
  method: string;
  /** The path as it was sent, without the query. */
  pathname: string;
  readonly query: URLSearchParams;
  /** The full URL. It is parsed again on each access. */
  readonly url: URL;
  headers: Record<string, string>;
  operation: string;
  /** The path of the matched route, with placeholders for ids. */
  route?: string | undefined;
  /** The executed operation of a GraphQL request. */
  graphOperation?: GraphOperation | undefined;
  /** Remote address of the connection; absent in tests without a connection. */
  clientAddress?: string | undefined;
  /** The key or person that sent the request, for the log: `key:<id>` or `user:<id>`. */
  caller?: string | undefined;
  /** Whether all bytes of the request have arrived. */
  hasArrived?: (() => boolean) | undefined;
  /** Called once the response is ready. */
  ended?: (() => void) | undefined;
};

export type RequestHandler = (
  request: Request,
  requestContext: RequestContext,
) => Promise<Response>;
