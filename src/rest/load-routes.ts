import type { Executor } from '../graph/execute/execute.ts';
import { type MatchOf, type Router, splitPath } from '../http/router.ts';
import { type LoadedOperation, loadOperation } from './operation.ts';
import type { ApiArea, RouteDefinition } from './routes.ts';
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
};
export type RouteMatch = MatchOf<Route>;
export type RestRouter = Router<Route>;

export const loadRoutes = (executor: Executor, areas: readonly ApiArea[]): Route[] =>
  areas.flatMap((area) =>
    area.routes.map((definition): Route => {
      const { method, operation, check, stream, rows } = definition;
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
        ...(rows === undefined ? {} : { rowExport: loadRowExport(executor, rows) }),
      };
    }),
  );
