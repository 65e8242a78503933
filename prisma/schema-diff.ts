import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPglite, serverOn } from '../src/platform/database/embedded.ts';
import type { Migration } from '../src/platform/database/migrations.ts';
import {
  migrationList,
  noFilters,
  schemaEngineOn,
} from '../src/platform/database/schema-engine.ts';

/**
 * The SQL that leads from the migrations to the models; empty when they agree. What Prisma has no
 * words for (checks, triggers, partial and expression indexes) it neither misses nor drops.
 */
export async function schemaDiff(migrations: Migration[]): Promise<string> {
  const shadow = serverOn(await openPglite('memory://'));
  const pool = shadow.openPool(1);
  const connection = await pool.connect();
  const engine = await schemaEngineOn(connection);
  try {
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'migrations', ...migrationList(migrations) },
      to: { tag: 'schemaDatamodel', files: models() },
      script: true,
      exitCode: true,
      filters: noFilters,
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  } finally {
    engine.free();
    connection.release();
    await pool.end();
    await shadow.close();
  }
}

function models() {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  const paths = globSync('**/*.prisma', { cwd: directory }).sort();
  return paths.map((path) => ({ path, content: readFileSync(directory + path, 'utf8') }));
}
