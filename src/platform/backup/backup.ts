import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * A backup is a directory: what the tables hold as one JSON object a row, the stored files, and
 * what the two need to be used again. It knows neither the version of Postgres nor where the files
 * lay, so that it can be restored to another of either.
 */
const manifestForm = z.object({
  format: z.literal(1),
  atrium: z.string(),
  madeAt: z.string(),
  database: z.enum(['postgres', 'embedded']),
  /** In the order in which they were applied. */
  migrations: z.array(z.string()),
  /** In the order in which they can be filled. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  files: z.number(),
});

export type Manifest = z.output<typeof manifestForm>;

export const manifestPath = (directory: string): string => join(directory, 'backup.json');
export const tablePath = (directory: string, table: string): string =>
  join(directory, 'tables', `${table}.jsonl`);
export const filesPath = (directory: string): string => join(directory, 'files');
export const secretPath = (directory: string): string => join(directory, 'auth-secret');

export async function readManifest(directory: string): Promise<Manifest> {
  const found: unknown = JSON.parse(await readFile(manifestPath(directory), 'utf8'));
  const parsed = manifestForm.safeParse(found);
  if (!parsed.success)
    throw new Error(
      `The backup in ${directory} is of a form that this version of Atrium does not know`,
    );
  return parsed.data;
}
