import { AppError } from '../platform/errors.ts';

/** In `path`, `:name` matches one segment that is not empty. */
type RoutePattern = { method: string; path: string };

/** The route of a request, and the decoded segments that its parameters match. */
export type MatchOf<Route> = { route: Route; params: Record<string, string> };

export type Router<Route> = {
  routes: readonly Route[];
  /** The routes of a path, whatever their method. */
  routesAt(pathname: string): readonly Route[];
  /** The route of a request. Throws NOT_FOUND or MethodNotAllowed if there is none. */
  match(method: string, pathname: string): MatchOf<Route>;
};

/** `decodeMalformed` is called for a parameter with malformed escapes, and for one with a NUL. */
export function createRouter<Route extends RoutePattern>(
  routes: readonly Route[],
  decodeMalformed: (segment: string) => string = keepVerbatim,
): Router<Route> {
  // A literal segment takes precedence over a parameter, so /users/add is not the user `add`.
  const rows = routes
    .map((route) => ({ route, segments: splitPath(route.path) }))
    .toSorted((a, b) => countParameters(a.segments) - countParameters(b.segments));
  const routesAt = (pathname: string): Route[] => {
    const segments = splitPath(pathname);
    return rows.filter((row) => matches(row.segments, segments)).map(({ route }) => route);
  };
  return {
    routes,
    routesAt,
    match(method, pathname) {
      const segments = splitPath(pathname);
      const routeMethod = method === 'HEAD' ? 'GET' : method;
      const row = rows.find(
        (candidate) =>
          candidate.route.method === routeMethod && matches(candidate.segments, segments),
      );
      if (row)
        return { route: row.route, params: paramsOf(row.segments, segments, decodeMalformed) };
      const methods = routesAt(pathname).map((route) => route.method);
      if (methods.length === 0) throw noSuchPath();
      throw new MethodNotAllowed(allowOf(methods));
    },
  };
}

export const noSuchPath = () => new AppError('NOT_FOUND', 'There is no such path');

/** `allow` is the value of the Allow header. */
export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(allow: string, message = 'This path does not take this method') {
    super('METHOD_NOT_ALLOWED', message);
    this.allow = allow;
  }
}

/** The Allow header of a path with routes for these methods. A route for GET also takes HEAD. */
export const allowOf = (methods: readonly string[]): string =>
  [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(
    ', ',
  );

const countParameters = (segments: readonly string[]) => segments.filter(isParameter).length;
const isParameter = (segment: string) => segment.startsWith(':');

// One slash at the end is ignored. An empty segment elsewhere makes a different path.
export const splitPath = (path: string) =>
  (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  for (let index = 0; index < pattern.length; index += 1) {
    const part = pattern[index] ?? '';
    if (part !== segments[index] && (!isParameter(part) || segments[index] === '')) return false;
  }
  return true;
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
  decodeMalformed: (segment: string) => string,
): Record<string, string> {
  const params: Record<string, string> = {};
  for (let index = 0; index < pattern.length; index += 1) {
    const part = pattern[index] ?? '';
    if (!isParameter(part)) continue;
    const segment = segments[index] ?? '';
    params[part.slice(1)] = decode(segment) ?? decodeMalformed(segment);
  }
  return params;
}

// No database stores a NUL, so `%00` could not be compared with any id.
function decode(segment: string): string | undefined {
  try {
    const text = segment.includes('%') ? decodeURIComponent(segment) : segment;
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

// The segment then matches no id, and the answer is 404.
const keepVerbatim = (segment: string) => segment;
