import { Client } from 'pg';
import { PreparedReads } from '../../src/platform/database/prepared-read.ts';

/**
 * Counts what really goes to the database: both databases and both ways to them, Prisma and SQL,
 * end in this driver's `query`. Left out, unless told otherwise, are the keys’ own look-ups and
 * what a connection is told about itself or about whom it serves: they depend on what was before.
 */
export function watchStatements(
  except = /\bfrom api_keys k\b|^UPDATE "public"\."api_keys"|^set time zone|^select set_config\('atrium/,
): {
  during<T>(run: () => Promise<T>): Promise<{ result: T; statements: string[] }>;
  stop(): void;
} {
  const original = Client.prototype.query;
  let seen: string[] = [];
  const watched = function (this: Client, ...given: unknown[]): unknown {
    seen.push(...textsOf(given[0]).filter((text) => !except.test(text)));
    return Reflect.apply(original, this, given);
  };
  Object.defineProperty(Client.prototype, 'query', {
    configurable: true,
    writable: true,
    value: watched,
  });
  return {
    async during(run) {
      seen = [];
      const result = await run();
      return { result, statements: seen };
    },
    stop() {
      Object.defineProperty(Client.prototype, 'query', {
        configurable: true,
        writable: true,
        value: original,
      });
    },
  };
}

function textsOf(statement: unknown): string[] {
  if (typeof statement === 'string') return [statement];
  if (statement instanceof PreparedReads)
    return statement.reads.map(({ question }) => question.text ?? '');
  const { text } = Object(statement);
  return [typeof text === 'string' ? text : ''];
}
