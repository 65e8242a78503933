import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { readNames } from '../audit/read-names.ts';

type ChangedAssistant = { assistantId: string; organizationId: string; version: number };

/** Refuses a change of an assistant whose newest version its editor has not read. */
export async function refuseOldVersion(
  { assistantId, organizationId, version }: ChangedAssistant,
  { database }: { database: Pick<Database, 'sql'> },
): Promise<never> {
  const [newest] = await database.sql<{ authorId: string | null; createdAt: string }>`
    select coalesce(author_user_id, author_key_id) as "authorId", created_at as "createdAt" from assistant_versions
    where assistant_id = ${assistantId} and organization_id = ${organizationId} and number = ${version}::int`;
  const { authorId = null, createdAt } = newest ?? {};
  const ids = authorId === null ? [] : [authorId];
  const [name] = await readNames({ organizationId, ids }, { database });
  const time = createdAt === undefined ? 'meanwhile' : `at ${new Date(createdAt).toISOString()}`;
  throw new AppError(
    'CONFLICT',
    `${name ?? 'Somebody'} changed this assistant ${time}: it has version ${version} now. Read it again, or send the change without basedOn to replace theirs`,
    'ASSISTANT_CHANGED',
  );
}
