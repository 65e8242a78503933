import type { GraphQLSchema } from 'graphql';
import { AppError } from '../platform/errors.ts';
import { loadOperation, type Operation } from './operation.ts';
import type { Area, Row } from './routes.ts';
import { loadSubscription, type Subscription } from './subscription.ts';

/** A row of the table, ready to serve. */
export type Route = {
  area: Area;
  row: Row;
  method: string;
  path: string;
  segments: readonly string[];
  operation: Operation;
  check?: Operation;
  subscription?: Subscription;
};
export type Match = { route: Route; params: Record<string, string> };
export type Router = { routes: readonly Route[]; match(method: string, pathname: string): Match };

export function createRouter(schema: GraphQLSchema, areas: readonly Area[]): Router {
  const routes = areas.flatMap((area) =>
    area.rows.map((row): Route => {
      const path = area.prefix + row.path;
      const route = {
        area,
        row,
        method: row.method,
        path,
        segments: splitPath(path),
        operation: loadOperation(schema, row.operation),
      };
      const check = row.check === undefined ? {} : { check: loadOperation(schema, row.check) };
      return {
        ...route,
        ...check,
        ...(row.stream === undefined ? {} : { subscription: loadSubscription(schema, row.stream) }),
      };
    }),
  );
  // A literal segment wins over a parameter: /users/add is no user.
  const ranked = routes.toSorted((a, b) => parameters(a) - parameters(b));

  return {
    routes,
    match(method, pathname) {
      const segments = splitPath(pathname);
      const wanted = method === 'HEAD' ? 'GET' : method;
      const route = ranked.find(
        (candidate) => candidate.method === wanted && fits(candidate.segments, segments),
      );
      if (route) return { route, params: paramsOf(route.segments, segments) };
      const fitting = ranked.filter((candidate) => fits(candidate.segments, segments));
      if (fitting.length === 0) throw new AppError('NOT_FOUND', 'There is no such path');
      throw new MethodNotAllowed(fitting.map((candidate) => candidate.method));
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

const parameters = (route: { segments: readonly string[] }) =>
  route.segments.filter(isParameter).length;
const isParameter = (segment: string) => segment.startsWith(':');

// One slash at the end changes nothing; an empty segment elsewhere is a path of its own.
const splitPath = (path: string) =>
  (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
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
    if (isParameter(part)) params[part.slice(1)] = decode(segments[index] ?? '');
  }
  return params;
}

// What stands for no text is an id that nothing has: asked for like any other, it is 404 for
// whoever has a key.
function decode(segment: string): string {
  try {
    return segment.includes('%') ? decodeURIComponent(segment) : segment;
  } catch {
    return segment;
  }
}
