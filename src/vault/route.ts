import { AppError } from '../platform/errors.ts';
import type { RequestContext } from '../platform/http.ts';

/**
 * One call that a server of the vault answers. In `path`, `:name` stands for one segment, handed on
 * decoded in `params`.
 */
export type Route = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  /** Its name in log and metrics. */
  operation: string;
  /**
   * anybody: no secret is asked. watcher: with the secret, and not counted, so that watching never
   * runs into the limit.
   */
  access?: 'anybody' | 'watcher';
  answer: (
    request: Request,
    requestContext: RequestContext,
    params: Readonly<Record<string, string>>,
  ) => Promise<Response> | Response;
};

/**
 * The routes of a table by path; the one for a method is picked afterwards, when the caller is
 * known.
 */
export function createRouteTable(routes: readonly Route[]) {
  const rows = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  return {
    at(pathname: string): readonly Route[] {
      const segments = segmentsOf(pathname);
      return rows.filter((row) => fits(row.segments, segments)).map(({ route }) => route);
    },
    pick(
      fitting: readonly Route[],
      { method, headers }: Pick<RequestContext, 'method' | 'headers'>,
    ): Route {
      if (fitting.length === 0) throw new AppError('NOT_FOUND', 'There is no such path');
      const wanted = method === 'HEAD' ? 'GET' : method;
      const route = fitting.find((candidate) => candidate.method === wanted);
      if (route) return route;
      headers['allow'] = fitting
        .flatMap((candidate) => (candidate.method === 'GET' ? ['GET', 'HEAD'] : [candidate.method]))
        .join(', ');
      throw new AppError('METHOD_NOT_ALLOWED', 'This path does not take this method');
    },
  };
}

export function paramsOf({ path }: Route, pathname: string): Record<string, string> {
  const segments = segmentsOf(pathname);
  const named = segmentsOf(path).flatMap((part, index) =>
    isParameter(part) ? [[part.slice(1), decode(segments[index] ?? '')] as const] : [],
  );
  return Object.fromEntries(named);
}

// One slash at the end changes nothing; an empty segment elsewhere is a path of its own.
const segmentsOf = (path: string) =>
  (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
const isParameter = (part: string) => part.startsWith(':');

const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every(
    (part, index) => part === segments[index] || (isParameter(part) && segments[index] !== ''),
  );

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError('BAD_INPUT', 'The path is not a valid address');
  }
}
