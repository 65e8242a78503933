import type { ClientBase } from 'pg';
import type { Migration } from './migration.ts';
import { migrationList, noFilters, schemaEngineOn } from './schema-engine.ts';

/**
 * Applies each missing migration in its own transaction, together with its row in
 * `_prisma_migrations`. A process that is killed leaves the database before or after a migration,
 * never in the middle of one.
 */
export async function applyMigrations(
  connection: ClientBase,
  migrations: Migration[],
): Promise<string[]> {
  let fault: unknown;
  const engine = await schemaEngineOn(connection, (error) => {
    fault = error;
  });
  const apply = async (upTo: number) => {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: migrationList(migrations.slice(0, upTo)),
      filters: noFilters,
    });
    return appliedMigrationNames;
  };
  try {
    // Creates the migrations table if it is missing. This must happen outside a transaction,
    // because the failing lookup would abort it.
    await apply(0);
    const applied: string[] = [];
    for (const [index, { name }] of migrations.entries()) {
      await connection.query('begin');
      try {
        applied.push(...(await apply(index + 1)));
        await connection.query('commit');
      } catch (error) {
        // If the connection was lost, its transaction was rolled back as well.
        await connection.query('rollback').catch(() => {});
        throw migrationError(name, fault ?? error);
      }
    }
    return applied;
  } finally {
    engine.free();
  }
}

function migrationError(name: string, cause: unknown): Error {
  return new Error(
    `Migration ${name} failed and was undone: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
}
