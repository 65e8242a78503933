import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { Pool } from 'pg';
import type { Migration } from './migrations.ts';
import { loadSchemaEngine, scriptableAdapter } from './schema-engine.ts';

const filters = { externalTables: [], externalEnums: [] };

/**
 * Applies each missing migration in a transaction of its own, together with its row in `_prisma_migrations`: a process that
 * is killed half-way leaves the database before or after a migration, never inside one. `pool` has one connection.
 */
export async function applyMigrations(pool: Pool, migrations: Migration[]): Promise<string[]> {
  const adapter = await scriptableAdapter(pool);
  let fault: unknown;
  const runScript = adapter.executeScript;
  adapter.executeScript = (script) =>
    runScript(script).catch((error: unknown) => {
      fault = error;
      throw error;
    });
  const engine = await loadSchemaEngine({
    ...adapter,
    connect: async () => adapter,
    connectToShadowDb: () => Promise.reject(new Error('applying needs no shadow')),
  });
  const apply = async (list: Migration[]) => (await engine.applyMigrations({ migrationsList: migrationList(list), filters })).appliedMigrationNames;
  try {
    // Looks for the table of migrations and creates it; a look-up that fails would abort a transaction.
    await apply([]);
    const applied: string[] = [];
    for (const [index, { name }] of migrations.entries()) {
      await pool.query('begin');
      try {
        applied.push(...(await apply(migrations.slice(0, index + 1))));
        await pool.query('commit');
      } catch (error) {
        await pool.query('rollback');
        throw new Error(`Migration ${name} failed and was undone: ${messageOf(fault ?? error)}`, { cause: fault ?? error });
      }
    }
    return applied;
  } finally {
    engine.free();
  }
}

export function migrationList(migrations: Migration[]): MigrationList {
  return {
    baseDir: 'prisma/migrations',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
    })),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
