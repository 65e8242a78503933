import type { Database } from '../../platform/database/database.ts';

type CountFilesInput = { organizationId: string; assistantIds: string[] };

/** The number of files of each assistant, in the order of the ids. */
export async function countFiles(
  { organizationId, assistantIds }: CountFilesInput,
  { database }: { database: Database },
): Promise<number[]> {
  const rows = await database.sql<{ assistantId: string; count: number }>`
    select assistant_id as "assistantId", count(*)::int as count from assistant_files
    where assistant_id = any(${assistantIds}) and organization_id = ${organizationId} group by assistant_id`;
  const counts = new Map(rows.map(({ assistantId, count }) => [assistantId, count]));
  return assistantIds.map((assistantId) => counts.get(assistantId) ?? 0);
}
