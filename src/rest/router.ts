import type { GraphQLSchema } from 'graphql';
import { AppError } from '../platform/errors.ts';
import { loadOperation, type Operation } from './operation.ts';
import type { Area, Row } from './routes.ts';

/** A row of the table, ready to serve. */
export type Route = { area: Area; row: Row; method: string; path: string; segments: readonly string[]; operation: Operation };
export type Match = { route: Route; params: Record<string, string> };
export type Router = { routes: readonly Route[]; match(method: string, pathname: string): Match };

export function createRouter(schema: GraphQLSchema, areas: readonly Area[]): Router {
  const routes = areas.flatMap((area) =>
    area.rows.map((row): Route => {
      const path = area.prefix + row.path;
      return { area, row, method: row.method, path, segments: splitPath(path), operation: loadOperation(schema, row.operation) };
    }),
  );
  // A literal segment wins over a parameter: /users/add is no user.
  const ranked = routes.toSorted((a, b) => parameters(a) - parameters(b));

  return {
    routes,
    match(method, pathname) {
      const segments = splitPath(pathname);
      const fitting = ranked.filter((route) => fits(route.segments, segments));
      if (fitting.length === 0) throw new AppError('NOT_FOUND', 'There is no such path');
      const wanted = method === 'HEAD' ? 'GET' : method;
      const route = fitting.find((candidate) => candidate.method === wanted);
      if (!route) throw new MethodNotAllowed(fitting.map((candidate) => candidate.method));
      return { route, params: paramsOf(route.segments, segments) };
    },
  };
}

export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(methods: string[]) {
    super('METHOD_NOT_ALLOWED', 'This path does not take this method');
    this.allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ');
  }
}

const parameters = (route: { segments: readonly string[] }) => route.segments.filter(isParameter).length;
const isParameter = (segment: string) => segment.startsWith(':');

// One slash at the end changes nothing; an empty segment elsewhere is a path of its own.
const splitPath = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);

const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length && pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const pairs = pattern.flatMap((part, index) => (isParameter(part) ? [[part.slice(1), decode(segments[index] ?? '')] as const] : []));
  return Object.fromEntries(pairs);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError('NOT_FOUND', 'There is no such path');
  }
}
