import type { Context } from '../access/context.ts';
import { entityTagOf, requireMatch, requireNoMatch } from '../http/entity-tags.ts';
import type { Database, Precondition } from '../platform/database/database.ts';
import { readingIn } from '../platform/database/reading-in.ts';
import type { Route } from './load-routes.ts';
import { executeOperation } from './operation.ts';
import { bodyOf } from './respond.ts';

/**
 * The precondition of a change whose If-Match names the version that the sender has read, or whose
 * If-None-Match names versions that must not be changed. The same operation that answers a GET reads
 * the resource again, in the transaction of the change.
 */
export function preconditionOf(
  { area, resource, current }: Route,
  { headers }: Request,
  { context, params }: { context: Context; params: Record<string, string> },
): Precondition | undefined {
  // The calls of files compare If-Match themselves, before the upload is read.
  const isConditional = headers.has('if-none-match') || (headers.has('if-match') && resource);
  if (!isConditional || !current) return undefined;
  return {
    isChecked: false,
    async check(tx) {
      const database = readingIn(tx, context.database);
      const data = await executeOperation(current, { ...context, database }, params);
      const body = bodyOf(area.envelope, data);
      const tag = current.hasEntityTag ? String(body['etag']) : entityTagOf(JSON.stringify(body));
      requireMatch(headers, tag);
      requireNoMatch(headers, tag);
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
