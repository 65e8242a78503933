import type { Context } from '../access/context.ts';
import { entityTagOf, requireMatch } from '../http/entity-tags.ts';
import type { Database, Precondition } from '../platform/database/database.ts';
import { readingIn } from '../platform/database/reading-in.ts';
import type { Route } from './load-routes.ts';
import { executeOperation } from './operation.ts';
import { bodyOf } from './respond.ts';

/**
 * The precondition of a change whose If-Match names the version that the sender has read. The same
 * operation that answers a GET reads the resource again, in the transaction of the change.
 */
export function preconditionOf(
  { area, resource }: Route,
  { headers }: Request,
  { context, params }: { context: Context; params: Record<string, string> },
): Precondition | undefined {
  if (!headers.has('if-match') || !resource) return undefined;
  return {
    isChecked: false,
    async check(tx) {
      const database = readingIn(tx, context.database);
      const data = await executeOperation(resource, { ...context, database }, params);
      requireMatch(headers, entityTagOf(JSON.stringify(bodyOf(area.envelope, data))));
    },
  };
}

/** Runs a change under its precondition, which is also checked if the change had nothing to do. */
export async function runUnder<Result>(
  precondition: Precondition | undefined,
  database: Database,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  if (!precondition) return run(database);
  const result = await run({ ...database, precondition });
  if (!precondition.isChecked) await database.transact((tx) => precondition.check(tx));
  return result;
}
