import type { Database } from '../../platform/database/database.ts';

type DocumentsInput = { organizationId: string; assistantId: string; documents: readonly string[] };
/**
 * `id` is the id of the current file. `originalName` is the name of the version that the document
 * was made from.
 */
export type NamedFile = { id: string; originalName: string; isPreviousVersion: boolean };

/**
 * The files that documents in the vault belong to, by document id. Until a new version is
 * COMPLETED, the document of the version that it replaces belongs to the file as well.
 */
export async function filesOfDocuments(
  { organizationId, assistantId, documents }: DocumentsInput,
  { database }: { database: Pick<Database, 'sql'> },
) {
  const names = [...new Set(documents)];
  if (names.length === 0) return new Map<string, NamedFile>();
  const files = await database.sql<NamedFile & { document: string }>`
    select f.id, d.document, f.id <> d.document as "isPreviousVersion",
      case when f.id = d.document then f.original_name else coalesce(f.replaces_name, f.original_name) end as "originalName"
    from unnest(${names}::text[]) as d(document)
    join assistant_files f on f.id = d.document or f.replaces_id = d.document
    where f.assistant_id = ${assistantId} and f.organization_id = ${organizationId}`;
  return new Map(files.map(({ document, ...file }) => [document, file]));
}
