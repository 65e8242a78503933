import type { Database } from '../../platform/database/database.ts';

type Asked = { organizationId: string; assistantId: string; documents: readonly string[] };
export type NamedFile = { id: string; originalName: string };

/** The files that documents of the vault belong to. Until a new version is ready the one that it replaces answers, under the new one's id. */
export async function filesOfDocuments({ organizationId, assistantId, documents }: Asked, { database }: { database: Pick<Database, 'sql'> }) {
  const names = [...new Set(documents)];
  if (names.length === 0) return new Map<string, NamedFile>();
  const files = await database.sql<NamedFile & { document: string }>`
    select f.id, f.original_name as "originalName", d.document from unnest(${names}::text[]) as d(document)
    join assistant_files f on f.id = d.document or f.replaces_id = d.document
    where f.assistant_id = ${assistantId} and f.organization_id = ${organizationId}`;
  return new Map(files.map(({ document, ...file }) => [document, file]));
}
