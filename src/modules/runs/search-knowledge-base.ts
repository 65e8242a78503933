import type { Database } from '../../platform/database/database.ts';
import type { VaultClient } from '../../vault/client.ts';
import type { FoundPassage } from './passages.ts';
import { runLimits } from './run-limits.ts';

type Asked = { assistantId: string; organizationId: string; query: string; signal: AbortSignal };
type Parts = { vault: Pick<VaultClient, 'search'>; database: Pick<Database, 'sql'> };

/** Passages of an assistant's files, best first, each under the name of its file. What belongs to no file any more is left out. */
export async function searchKnowledgeBase({ assistantId, organizationId, query, signal }: Asked, { vault, database }: Parts): Promise<FoundPassage[]> {
  const { passages } = await vault.search({ collection: assistantId, query, limit: runLimits.passagesPerSearch, signal });
  const documents = [...new Set(passages.map(({ document }) => document))];
  if (documents.length === 0) return [];
  // Until a new version is ready the one that it replaces answers, under the new one's id.
  const files = await database.sql<{ id: string; originalName: string; document: string }>`
    select f.id, f.original_name as "originalName", d.document from unnest(${documents}::text[]) as d(document)
    join assistant_files f on f.id = d.document or f.replaces_id = d.document
    where f.assistant_id = ${assistantId} and f.organization_id = ${organizationId}`;
  const fileOf = new Map(files.map((file) => [file.document, file]));
  return passages.flatMap(({ document, ordinal, text, page, headings, start, end, score }) => {
    const file = fileOf.get(document);
    return file ? [{ documentId: file.id, originalName: file.originalName, ordinal, text, page, headings, start, end, score }] : [];
  });
}
