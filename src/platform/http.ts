/**
 * What the front door knows of a request. Handlers add to `headers` what the answer must carry, and
 * name the operation for log and metrics.
 */
export type RequestContext = {
  requestId: string;
  method: string;
  /** The path alone, as it was sent. */
  pathname: string;
  readonly query: URLSearchParams;
  /** The whole address, taken apart anew each time. */
  readonly url: URL;
  headers: Record<string, string>;
  operation: string;
  /** The other end of the connection; absent where there is none, as in a test. */
  clientAddress?: string | undefined;
  /** Which key or person sent the request, for the log: `key:<id>` or `user:<id>`. */
  caller?: string | undefined;
};

export type Handler = (request: Request, requestContext: RequestContext) => Promise<Response>;
