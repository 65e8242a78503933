import { Client } from 'pg';

/**
 * Counts what really goes to the database: both databases and both ways to them, Prisma and SQL, end in this driver's
 * `query`. Left out, unless told otherwise, are the keys’ own look-ups and what a connection is told about itself or about whom it serves: they depend on what was before.
 */
export function watchStatements(except = /\bapi_keys\b|^set time zone|^select set_config\('atrium/): {
  during<T>(run: () => Promise<T>): Promise<{ result: T; statements: string[] }>;
  stop(): void;
} {
  const original = Client.prototype.query;
  let seen: string[] = [];
  const watched = function (this: Client, ...given: unknown[]): unknown {
    const text = textOf(given[0]);
    if (!except.test(text)) seen.push(text);
    return Reflect.apply(original, this, given);
  };
  Object.defineProperty(Client.prototype, 'query', { configurable: true, writable: true, value: watched });
  return {
    async during(run) {
      seen = [];
      const result = await run();
      return { result, statements: seen };
    },
    stop() {
      Object.defineProperty(Client.prototype, 'query', { configurable: true, writable: true, value: original });
    },
  };
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const { text } = Object(statement);
  return typeof text === 'string' ? text : '';
}
