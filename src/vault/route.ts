import type { RequestContext, RequestHandler } from '../http/request-context.ts';
import { createRouter } from '../http/router.ts';
import { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { jsonAnswer, refusalAnswer } from './answer.ts';
import { requireSecret } from './secret.ts';
import type { VaultAccess } from './signature.ts';

/**
 * One operation of the vault's HTTP servers. In `path`, `:name` matches one segment; its decoded
 * value is in `params`.
 */
export type VaultRoute = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  /** The name in logs and metrics. */
  operation: string;
  /**
   * Default: the caller must send the secret, and the rate limit counts the call.
   * public: no secret is required. monitoring: the secret is required, but the rate limit does not
   * count the call, so that monitoring is never limited.
   */
  access?: 'public' | 'monitoring';
  answer: (
    request: Request,
    requestContext: RequestContext,
    params: Readonly<Record<string, string>>,
  ) => Promise<Response> | Response;
};

type RouteCall = {
  request: Request;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
};

/** A route that answers `status: success` with the fields that `read` returns. */
export const jsonRoute = (
  method: VaultRoute['method'],
  path: string,
  operation: string,
  read: (call: RouteCall) => object | Promise<object>,
): VaultRoute => ({
  method,
  path,
  operation,
  answer: async (request, { query, headers }, params) =>
    jsonAnswer(200, { status: 'success', ...(await read({ request, query, params })) }, headers),
});

type RouteHandlerOptions = {
  access: VaultAccess;
  /** Counts a call against the rate limit and sets its headers. */
  countCall?: (headers: Record<string, string>) => void;
  /** Translates errors of the storage before they are shown. */
  translateError?: (error: unknown) => unknown;
  log: Log;
};

/**
 * Serves these routes. An unknown path and an unknown method are rejected only after the secret was
 * checked.
 */
export function createRouteHandler(
  routes: readonly VaultRoute[],
  { access, countCall, translateError = (error) => error, log }: RouteHandlerOptions,
): RequestHandler {
  const router = createRouter(routes, () => {
    throw new AppError('BAD_INPUT', 'The path is not a valid address');
  });
  return async (request, requestContext) => {
    try {
      const { method, pathname, headers } = requestContext;
      const routesAtPath = router.routesAt(pathname);
      if (!routesAtPath.some((route) => route.access === 'public')) requireSecret(request, access);
      if (!routesAtPath.some((route) => route.access !== undefined)) countCall?.(headers);
      const { route, params } = router.match(method, pathname);
      requestContext.operation = route.operation;
      requestContext.route = route.path;
      return await route.answer(request, requestContext, params);
    } catch (error) {
      return refusalAnswer(translateError(error), request, requestContext, log);
    }
  };
}
