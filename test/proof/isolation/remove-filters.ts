import { Client } from 'pg';
import { Pipeline } from '../../../src/platform/database/driver/pipeline.ts';

// Conditions on the organization, as Atrium and Prisma write them, and on the owner of counters.
const filters = [
  /((?:"?\w+"?\.)*"?organization_?id"?)\s*=\s*(\$\d+)/gi,
  /((?:"?\w+"?\.)*"organizations"\."id")\s*=\s*(\$\d+)/g,
  /(\bo\.id)\s*=\s*(\$\d+)/g,
  /(\bowner_id)\s*=\s*(\$\d+)/g,
];

// An assignment in an UPDATE is not a condition.
const assignment = /\bset\s+[^;]*$/i;

/**
 * Removes the conditions on the organization from a statement. The value stays bound, so that
 * Postgres knows its type.
 */
export function withoutFilter(statement: string): string {
  return filters.reduce(
    (text, filter) =>
      text.replace(
        filter,
        (match: string, column: string, value: string, offset: number, fullText: string) => {
          const before = fullText.slice(0, offset);
          const isAssigned =
            assignment.test(before) &&
            !/\bwhere\b/i.test(before.slice(before.toLowerCase().lastIndexOf(' set ')));
          return isAssigned ? match : `(${column} = ${value} or true)`;
        },
      ),
    statement,
  );
}

/**
 * Patches the Postgres client so that every statement loses its condition on the organization. This
 * affects only connections opened afterwards, because prepared statements keep their text.
 */
export function removeFilters(): { changed(): number; stop(): void } {
  const original = Client.prototype.query;
  const texts = new Set<string>();
  const withoutFilterCounted = (text: string): string => {
    const open = withoutFilter(text);
    if (open !== text) texts.add(text);
    return open;
  };
  const query = function (this: Client, ...queryArguments: unknown[]): unknown {
    const [statement, ...others] = queryArguments;
    if (typeof statement === 'string')
      return Reflect.apply(original, this, [withoutFilterCounted(statement), ...others]);
    // Query objects are changed in place, because pg keeps references to them.
    const queries: object[] =
      statement instanceof Pipeline
        ? statement.statements.map((pending) => pending.statement)
        : [Object(statement)];
    for (const query of queries)
      if ('text' in query && typeof query.text === 'string')
        Object.assign(query, { text: withoutFilterCounted(query.text) });
    return Reflect.apply(original, this, queryArguments);
  };
  const replaceQuery = (value: unknown) =>
    Object.defineProperty(Client.prototype, 'query', { configurable: true, writable: true, value });
  replaceQuery(query);
  return { changed: () => texts.size, stop: () => replaceQuery(original) };
}
