import type { Database } from '../../platform/database/database.ts';
import type { VaultClient } from '../../vault/client.ts';
import { filesOfDocuments } from '../assistant-files/files-of-documents.ts';
import type { FoundPassage } from './passages.ts';
import { runLimits } from './run-limits.ts';

type Asked = { assistantId: string; organizationId: string; query: string; signal: AbortSignal };
type Parts = { vault: Pick<VaultClient, 'search'>; database: Pick<Database, 'sql'> };

/**
 * Passages of an assistant's files, best first, each under the name of its file. What belongs to no
 * file any more is left out.
 */
export async function searchKnowledgeBase(
  { assistantId, organizationId, query, signal }: Asked,
  { vault, database }: Parts,
): Promise<FoundPassage[]> {
  const find = async () => {
    const { passages } = await vault.search({
      collection: assistantId,
      query,
      limit: runLimits.passagesPerSearch,
      signal,
    });
    const fileOf = await filesOfDocuments(
      { organizationId, assistantId, documents: passages.map(({ document }) => document) },
      { database },
    );
    return passages.map((passage) => ({ ...passage, file: fileOf.get(passage.document) }));
  };
  let found = await find();
  // A replacement may have been completed between the two reads. Its own passages are found by
  // searching again.
  if (found.some(({ file }) => !file)) found = await find();
  return found.flatMap(({ document, file, ordinal, text, page, headings, start, end, score }) => {
    if (!file) return [];
    const { id: documentId, originalName, isPreviousVersion } = file;
    return [
      {
        documentId,
        versionId: document,
        isPreviousVersion,
        originalName,
        ordinal,
        text,
        page,
        headings,
        start,
        end,
        score,
      },
    ];
  });
}
