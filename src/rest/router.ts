import type { Executor } from '../graph/execute/execute.ts';
import { AppError } from '../platform/errors.ts';
import { type LoadedOperation, loadOperation } from './operation.ts';
import type { ApiArea, RouteDefinition } from './routes.ts';
import { loadSubscription, type StartSubscription } from './subscription.ts';

/** A route with its operations loaded. */
export type Route = {
  area: ApiArea;
  definition: RouteDefinition;
  method: string;
  path: string;
  segments: readonly string[];
  operation: LoadedOperation;
  check?: LoadedOperation;
  subscription?: StartSubscription;
};
export type RouteMatch = { route: Route; params: Record<string, string> };
export type Router = {
  routes: readonly Route[];
  match(method: string, pathname: string): RouteMatch;
};

export function createRouter(executor: Executor, areas: readonly ApiArea[]): Router {
  const routes = areas.flatMap((area) =>
    area.routes.map((definition): Route => {
      const path = area.prefix + definition.path;
      const route = {
        area,
        definition,
        method: definition.method,
        path,
        segments: splitPath(path),
        operation: loadOperation(executor, definition.operation),
      };
      const check =
        definition.check === undefined ? {} : { check: loadOperation(executor, definition.check) };
      return {
        ...route,
        ...check,
        ...(definition.stream === undefined
          ? {}
          : { subscription: loadSubscription(executor, definition.stream) }),
      };
    }),
  );
  // A literal segment takes precedence over a parameter, so /users/add is not the user `add`.
  const byParameterCount = routes.toSorted((a, b) => countParameters(a) - countParameters(b));

  return {
    routes,
    match(method, pathname) {
      const segments = splitPath(pathname);
      const routeMethod = method === 'HEAD' ? 'GET' : method;
      const route = byParameterCount.find(
        (candidate) =>
          candidate.method === routeMethod && matchesPattern(candidate.segments, segments),
      );
      if (route) return { route, params: paramsOf(route.segments, segments) };
      const candidates = byParameterCount.filter((candidate) =>
        matchesPattern(candidate.segments, segments),
      );
      if (candidates.length === 0) throw new AppError('NOT_FOUND', 'There is no such path');
      throw new MethodNotAllowed(candidates.map((candidate) => candidate.method));
    },
  };
}

export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(methods: string[]) {
    super('METHOD_NOT_ALLOWED', 'This path does not take this method');
    this.allow = [
      ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    ].join(', ');
  }
}

const countParameters = (route: { segments: readonly string[] }) =>
  route.segments.filter(isParameter).length;
const isParameter = (segment: string) => segment.startsWith(':');

// One slash at the end is ignored. An empty segment elsewhere makes a different path.
const splitPath = (path: string) =>
  (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);

function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  for (let index = 0; index < pattern.length; index += 1) {
    const part = pattern[index] ?? '';
    if (part !== segments[index] && (!isParameter(part) || segments[index] === '')) return false;
  }
  return true;
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let index = 0; index < pattern.length; index += 1) {
    const part = pattern[index] ?? '';
    if (isParameter(part)) params[part.slice(1)] = decodeSegment(segments[index] ?? '');
  }
  return params;
}

// Malformed escapes are kept verbatim, so they match no id and the answer is 404.
function decodeSegment(segment: string): string {
  try {
    return segment.includes('%') ? decodeURIComponent(segment) : segment;
  } catch {
    return segment;
  }
}
