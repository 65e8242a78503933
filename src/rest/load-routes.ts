import type { Executor } from '../graph/execute/execute.ts';
import { type MatchOf, type Router, splitPath } from '../http/router.ts';
import { type LoadedOperation, loadOperation } from './operation.ts';
import type { ApiArea, RouteDefinition } from './route-definition.ts';
import {
  type LoadedRowExport,
  type LoadedSubscription,
  loadRowExport,
  loadSubscription,
} from './subscription.ts';

/** A route with its operations loaded. */
export type Route = {
  area: ApiArea;
  definition: RouteDefinition;
  method: string;
  path: string;
  segments: readonly string[];
  operation: LoadedOperation;
  check?: LoadedOperation;
  subscription?: LoadedSubscription;
  rowExport?: LoadedRowExport;
  /** The same call for a client that prefers `respond-async`. */
  durable?: DurableCall;
  /** Set if this request starts a durable run: the stream of its events. */
  acceptedEvents?: LoadedSubscription;
  /**
   * Reads the resource at this path, with the path's parameters, if it has no entity tag of its own:
   * the tag is that of the answer.
   */
  resource?: LoadedOperation;
  /** Of a change: reads what is at this path, with an entity tag of either kind. */
  current?: LoadedOperation;
};
/** What starts a durable run, and the stream of its events. */
export type DurableCall = {
  operation: LoadedOperation;
  events: LoadedSubscription;
  envelope: ApiArea['envelope'];
};
export type RouteMatch = MatchOf<Route>;
export type RestRouter = Router<Route>;

export function loadRoutes(executor: Executor, areas: readonly ApiArea[]): Route[] {
  const routes = areas.flatMap((area) =>
    area.routes.map((definition): Route => {
      const { method, operation, check, stream, rows, durable } = definition;
      const path = area.prefix + definition.path;
      return {
        area,
        definition,
        method,
        path,
        segments: splitPath(path),
        operation: loadOperation(executor, operation),
        ...(check === undefined ? {} : { check: loadOperation(executor, check) }),
        ...(stream === undefined ? {} : { subscription: loadSubscription(executor, stream) }),
        ...(durable === undefined ? {} : { durable: loadDurable(executor, durable) }),
        ...(rows === undefined ? {} : { rowExport: loadRowExport(executor, rows) }),
      };
    }),
  );
  const readers = new Map(
    routes.filter(readsOneResource).map(({ path, operation }) => [path, operation]),
  );
  return routes.map((route) => {
    const current = takesConditions(route) ? readers.get(route.path) : undefined;
    if (!current) return route;
    return {
      ...route,
      ...(current.hasEntityTag ? {} : { resource: current }),
      ...(route.method === 'GET' ? {} : { current }),
    };
  });
}

const loadDurable = (
  executor: Executor,
  { operation, events }: NonNullable<RouteDefinition['durable']>,
): DurableCall => ({
  operation: loadOperation(executor, operation),
  events: loadSubscription(executor, events),
  envelope: { status: 'success' },
});

const readsOneResource = ({ method, segments, operation }: Route): boolean =>
  method === 'GET' && segments.at(-1)?.startsWith(':') === true && !operation.returnsFile;

/** POST is not meant here: it adds to the resource at its path. */
const takesConditions = ({ method }: Route): boolean =>
  ['GET', 'PUT', 'PATCH', 'DELETE'].includes(method);
