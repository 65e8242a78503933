import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEmbeddedServer } from '../src/platform/database/embedded.ts';
import type { Migration } from '../src/platform/database/migration.ts';
import { openPglite } from '../src/platform/database/pglite.ts';
import {
  migrationList,
  noFilters,
  schemaEngineOn,
} from '../src/platform/database/schema-engine.ts';

/**
 * The SQL that turns the result of the migrations into the models; empty if they agree. Prisma
 * ignores what the models cannot express: checks, triggers, partial and expression indexes.
 */
export async function schemaDiff(migrations: Migration[]): Promise<string> {
  const shadow = createEmbeddedServer(await openPglite('memory://'));
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
