import type { Database } from '../../platform/database/database.ts';
import type { Person } from '../assistants/access.ts';
import type { AssistantFile } from './assistant-file.ts';
import { readFiles } from './read-files.ts';

/**
 * For each file the oldest one of its assistant with the same bytes, if that is not the file itself;
 * null for the others. A file that is being replaced by the same bytes does not count.
 */
export async function findSameContent(
  { fileIds, person }: { fileIds: readonly string[]; person: Person },
  { database }: { database: Database },
): Promise<(AssistantFile | null)[]> {
  const rows = await database.sql<{ id: string; oldestId: string }>`
    select f.id, oldest.id as "oldestId" from assistant_files f
    cross join lateral (
      select o.id from assistant_files o
      where o.assistant_id = f.assistant_id and o.hash = f.hash and o.organization_id = f.organization_id
        and (o.created_at, o.id) < (f.created_at, f.id) and o.id is distinct from f.replaces_id
      order by o.created_at, o.id limit 1) oldest
    where f.id = any(${fileIds}) and f.organization_id = ${person.organizationId}`;
  if (rows.length === 0) return fileIds.map(() => null);
  const oldest = await readFiles(
    { ids: rows.map(({ oldestId }) => oldestId), person },
    { database },
  );
  const found = new Map(rows.map(({ id }, index) => [id, oldest[index] ?? null]));
  return fileIds.map((id) => found.get(id) ?? null);
}
