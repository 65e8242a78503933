import { Client } from 'pg';
import { Pipeline } from '../../src/platform/database/driver/pipeline.ts';

/**
 * Records the statements that are sent to the database: both kinds of database, and both Prisma and
 * SQL, use this driver's `query`. By default the lookups of API keys and budgets and the settings of
 * sessions are excluded, because they depend on earlier requests.
 */
export function watchStatements(
  except = /\bfrom api_keys k\b|^\s*select exists \(select from budgets|^update api_keys set last_used_at|^set time zone|^select set_config\('atrium/,
): {
  /** `run` can read what was sent so far. */
  during<T>(
    run: (sent: readonly string[]) => Promise<T>,
  ): Promise<{ result: T; statements: string[] }>;
  stop(): void;
} {
  const original = Client.prototype.query;
  let statements: string[] = [];
  const recordQuery = function (this: Client, ...queryArguments: unknown[]): unknown {
    statements.push(...textsOf(queryArguments[0]).filter((text) => !except.test(text)));
    return Reflect.apply(original, this, queryArguments);
  };
  Object.defineProperty(Client.prototype, 'query', {
    configurable: true,
    writable: true,
    value: recordQuery,
  });
  return {
    async during(run) {
      statements = [];
      const result = await run(statements);
      return { result, statements };
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
  if (statement instanceof Pipeline)
    return statement.statements.map((pending) => pending.statement.text);
  const { text } = Object(statement);
  return [typeof text === 'string' ? text : ''];
}
