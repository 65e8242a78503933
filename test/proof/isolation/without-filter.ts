import { Client } from 'pg';
import { PreparedReads } from '../../../src/platform/database/prepared-read.ts';

// What names the organization in a condition, as we write it and as Prisma does, and whose totals
// are asked for.
const filters = [
  /((?:"?\w+"?\.)*"?organization_?id"?)\s*=\s*(\$\d+)/gi,
  /((?:"?\w+"?\.)*"organizations"\."id")\s*=\s*(\$\d+)/g,
  /(\bo\.id)\s*=\s*(\$\d+)/g,
  /(\bowner_id)\s*=\s*(\$\d+)/g,
];

// What an UPDATE sets is no condition.
const assigned = /\bset\s+[^;]*$/i;

/**
 * A statement in which no organization is asked for any more. The value stays bound, so that its
 * type is known.
 */
export function withoutFilter(statement: string): string {
  return filters.reduce(
    (text, filter) =>
      text.replace(
        filter,
        (found: string, column: string, value: string, place: number, all: string) => {
          const before = all.slice(0, place);
          const isAssigned =
            assigned.test(before) &&
            !/\bwhere\b/i.test(before.slice(before.toLowerCase().lastIndexOf(' set ')));
          return isAssigned ? found : `(${column} = ${value} or true)`;
        },
      ),
    statement,
  );
}

/**
 * The build for the test: between the application and the database every statement, of ours and of
 * Prisma, loses its condition on the organization. Only connections that are made meanwhile are
 * meant, as a prepared statement keeps its text.
 */
export function removeFilters(): { changed(): number; stop(): void } {
  const original = Client.prototype.query;
  const texts = new Set<string>();
  const opened = (text: string): string => {
    const open = withoutFilter(text);
    if (open !== text) texts.add(text);
    return open;
  };
  const query = function (this: Client, ...given: unknown[]): unknown {
    const [statement, ...others] = given;
    if (typeof statement === 'string')
      return Reflect.apply(original, this, [opened(statement), ...others]);
    // What submits itself stays the object that it is, and what it asks as well.
    const asked: object[] =
      statement instanceof PreparedReads
        ? statement.reads.map(({ question }) => question)
        : [Object(statement)];
    for (const question of asked)
      if ('text' in question && typeof question.text === 'string')
        Object.assign(question, { text: opened(question.text) });
    return Reflect.apply(original, this, given);
  };
  const put = (value: unknown) =>
    Object.defineProperty(Client.prototype, 'query', { configurable: true, writable: true, value });
  put(query);
  return { changed: () => texts.size, stop: () => put(original) };
}
