import type { Database } from '../../platform/database/database.ts';
import type { VaultClient } from '../../vault/client.ts';
import { filesOfDocuments } from '../assistant-files/files-of-documents.ts';
import type { FoundPassage } from './passages.ts';
import { runLimits } from './run-limits.ts';
import type { EmbeddingUsage } from './run-steps.ts';

type SearchInput = {
  assistantId: string;
  organizationId: string;
  query: string;
  signal: AbortSignal;
  /** Gets what a provider has counted for the embedding of the query. */
  embedded?: (usage: EmbeddingUsage) => void;
};
type SearchDependencies = { vault: Pick<VaultClient, 'search'>; database: Pick<Database, 'sql'> };

/**
 * Searches the files of an assistant. The passages are ordered best first, each with the name of
 * its file. Passages whose file no longer exists are left out.
 */
export async function searchKnowledgeBase(
  { assistantId, organizationId, query, signal, embedded }: SearchInput,
  { vault, database }: SearchDependencies,
): Promise<FoundPassage[]> {
  const findPassages = async () => {
    const { passages, embedding } = await vault.search({
      collection: assistantId,
      query,
      limit: runLimits.passagesPerSearch,
      signal,
    });
    if (embedding) embedded?.(embedding);
    const fileOf = await filesOfDocuments(
      { organizationId, assistantId, documents: passages.map(({ document }) => document) },
      { database },
    );
    return passages.map((passage) => ({ ...passage, file: fileOf.get(passage.document) }));
  };
  let passagesWithFiles = await findPassages();
  // A replacement may have been completed between the search and the query of its files. A second
  // search then finds the passages of the new version.
  if (passagesWithFiles.some(({ file }) => !file)) passagesWithFiles = await findPassages();
  return passagesWithFiles.flatMap(
    ({ document, file, ordinal, text, page, headings, start, end, score }) => {
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
    },
  );
}
