import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * A backup is a directory with the rows of each table as JSON lines, the stored files, the
 * authentication secret, and a manifest. It depends neither on the Postgres version nor on the kind
 * of file storage, so it can be restored to another of either.
 */
const manifestForm = z.object({
  format: z.literal(1),
  atrium: z.string(),
  madeAt: z.string(),
  database: z.enum(['postgres', 'embedded']),
  /** In the order in which they were applied. */
  migrations: z.array(z.string()),
  /** In insertion order: a table comes after the tables that its foreign keys refer to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  files: z.number(),
});

export type BackupManifest = z.output<typeof manifestForm>;

export const manifestPath = (directory: string): string => join(directory, 'backup.json');
export const tablePath = (directory: string, table: string): string =>
  join(directory, 'tables', `${table}.jsonl`);
export const filesPath = (directory: string): string => join(directory, 'files');
export const secretPath = (directory: string): string => join(directory, 'auth-secret');

export async function readManifest(directory: string): Promise<BackupManifest> {
  const content: unknown = JSON.parse(await readFile(manifestPath(directory), 'utf8'));
  const parsed = manifestForm.safeParse(content);
  if (!parsed.success)
    throw new Error(
      `The backup in ${directory} is of a form that this version of Atrium does not know`,
    );
  return parsed.data;
}
