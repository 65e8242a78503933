import type { Database } from '../../platform/database/database.ts';

/**
 * How many files of the organization wait longer than each of these; null for a file that does not
 * wait. An organization's files are processed in this order.
 */
export async function countFilesBefore(
  { fileIds, organizationId }: { fileIds: readonly string[]; organizationId: string },
  { database }: { database: Database },
): Promise<(number | null)[]> {
  const rows = await database.sql<{ id: string; count: number }>`
    select waiting.id, waiting.count from (
      select id, (row_number() over (order by created_at, id) - 1)::int as count from assistant_files
      where organization_id = ${organizationId} and status = 'PENDING') waiting
    where waiting.id = any(${fileIds})`;
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return fileIds.map((id) => counts.get(id) ?? null);
}
