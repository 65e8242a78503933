import type { RequestContext } from '../http/request-context.ts';
import { AppError } from '../platform/errors.ts';
import { jsonAnswer } from './answer.ts';

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

/**
 * Finds a route in two steps: `routesAt` finds the routes of a path before authentication, because
 * public routes need none, and `pick` selects the route for the method afterwards.
 */
export function createRouteTable(routes: readonly VaultRoute[]) {
  const rows = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  return {
    routesAt(pathname: string): readonly VaultRoute[] {
      const segments = segmentsOf(pathname);
      return rows.filter((row) => matches(row.segments, segments)).map(({ route }) => route);
    },
    pick(
      routesAtPath: readonly VaultRoute[],
      { method, headers }: Pick<RequestContext, 'method' | 'headers'>,
    ): VaultRoute {
      if (routesAtPath.length === 0) throw new AppError('NOT_FOUND', 'There is no such path');
      const requestedMethod = method === 'HEAD' ? 'GET' : method;
      const route = routesAtPath.find((candidate) => candidate.method === requestedMethod);
      if (route) return route;
      headers['allow'] = routesAtPath
        .flatMap((candidate) => (candidate.method === 'GET' ? ['GET', 'HEAD'] : [candidate.method]))
        .join(', ');
      throw new AppError('METHOD_NOT_ALLOWED', 'This path does not take this method');
    },
  };
}

export function paramsOf({ path }: VaultRoute, pathname: string): Record<string, string> {
  const segments = segmentsOf(pathname);
  const parameters = segmentsOf(path).flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1), decode(segments[index] ?? '')] as const] : [],
  );
  return Object.fromEntries(parameters);
}

// A slash at the end is ignored. An empty segment elsewhere counts as a segment.
const segmentsOf = (path: string) =>
  (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
const isParameter = (segment: string) => segment.startsWith(':');

const matches = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every(
    (segment, index) =>
      segment === segments[index] || (isParameter(segment) && segments[index] !== ''),
  );

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError('BAD_INPUT', 'The path is not a valid address');
  }
}
