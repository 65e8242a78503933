import { createHash } from 'node:crypto';
import { readMigrations } from '../../src/platform/database/migrations.ts';

/** Names a template, so that a change of the migrations makes a new one. */
export async function migrationsHash(): Promise<string> {
  const migrations = await readMigrations();
  return createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 12);
}
