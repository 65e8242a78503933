import type { ClientBase } from 'pg';
import type { Migration } from './migrations.ts';
import { migrationList, noFilters, schemaEngineOn } from './schema-engine.ts';

/**
 * Applies each missing migration in a transaction of its own, together with its row in
 * `_prisma_migrations`: a process that is killed half-way leaves the database before or after a
 * migration, never inside one.
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
    // Looks for the table of migrations and creates it: inside a transaction the failing look would
    // abort all of it.
    await apply(0);
    const applied: string[] = [];
    for (const [index, { name }] of migrations.entries()) {
      await connection.query('begin');
      try {
        applied.push(...(await apply(index + 1)));
        await connection.query('commit');
      } catch (error) {
        // Where the connection is lost, so is its transaction.
        await connection.query('rollback').catch(() => {});
        throw failed(name, fault ?? error);
      }
    }
    return applied;
  } finally {
    engine.free();
  }
}

function failed(name: string, cause: unknown): Error {
  return new Error(
    `Migration ${name} failed and was undone: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
}
