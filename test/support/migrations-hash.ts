import { createHash } from 'node:crypto';
import { readMigrations } from '../../src/platform/database/migrations.ts';

/** A hash for the name of a template, so that changed migrations produce a new one. */
export async function migrationsHash(): Promise<string> {
  const migrations = await readMigrations();
  return createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 12);
}
