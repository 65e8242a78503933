import type { Database } from '../../platform/database/database.ts';
import { filesOfDocuments } from '../assistant-files/files-of-documents.ts';
import type { Person } from '../assistants/access.ts';
import { requireAssistant } from '../assistants/require-assistant.ts';
import type { VaultReader } from './vault-access.ts';

/** The modes of the vault, by their names in the graph. */
export const searchModes = { HYBRID: 'hybrid', KEYWORD: 'keyword', VECTOR: 'vector' } as const;
export const leftOutReasons = ['NEAR_DUPLICATE', 'BELOW_LIMIT', 'NO_FILE'] as const;

type SearchVaultInput = {
  assistantId: string;
  person: Person;
  query: string;
  limit: number;
  mode: keyof typeof searchModes;
  signal: AbortSignal;
};
type SearchAnswer = Awaited<ReturnType<VaultReader['search']>>;

/** A passage with the name of its file. `documentId` is null if the file no longer exists. */
export type ExplainedPassage = SearchAnswer['passages'][number] & {
  documentId: string | null;
  originalName: string | null;
  isPreviousVersion: boolean;
};
export type LeftOutPassage = {
  passage: ExplainedPassage;
  reason: (typeof leftOutReasons)[number];
  like: ExplainedPassage | null;
};

/**
 * Searches the vault as a run does, and also reports the scores that each stage of the search gave
 * to a passage.
 */
export async function searchVault(
  { assistantId, person, query, limit, mode, signal }: SearchVaultInput,
  { vault, database }: { vault: VaultReader; database: Database },
) {
  await requireAssistant({ assistantId, person, level: 'VIEW' }, { database });
  const { passages, explanation, notes, tookMs } = await vault.search({
    collection: assistantId,
    query,
    limit,
    mode: searchModes[mode],
    explain: true,
    signal,
  });
  const leftOut = explanation?.leftOut ?? [];
  const documents = [...passages, ...leftOut].map(({ document }) => document);
  const fileOf = await filesOfDocuments(
    { organizationId: person.organizationId, assistantId, documents },
    { database },
  );
  const withFile = (passage: SearchAnswer['passages'][number]): ExplainedPassage => {
    const file = fileOf.get(passage.document);
    return {
      ...passage,
      documentId: file?.id ?? null,
      originalName: file?.originalName ?? null,
      isPreviousVersion: file?.isPreviousVersion ?? false,
    };
  };
  const results = passages.map(withFile);
  const findSimilarPassage = (like: { document: string; ordinal: number } | null) =>
    [...results, ...leftOut.map(withFile)].find(
      ({ document, ordinal }) => document === like?.document && ordinal === like.ordinal,
    ) ?? null;
  return {
    // A run leaves these out as well, because an answer must not cite a file that no longer exists.
    passages: results.filter(({ documentId }) => documentId !== null),
    leftOut: [
      ...results
        .filter(({ documentId }) => documentId === null)
        .map((passage): LeftOutPassage => ({ passage, reason: 'NO_FILE', like: null })),
      ...leftOut.map(
        (passage): LeftOutPassage => ({
          passage: withFile(passage),
          reason: passage.reason,
          like: findSimilarPassage(passage.like),
        }),
      ),
    ],
    candidates: explanation?.candidates ?? { keyword: 0, vector: 0, distinct: 0 },
    nearDuplicates: explanation?.nearDuplicates ?? 0,
    belowLimit: explanation?.belowLimit ?? 0,
    notes,
    tookMs,
  };
}
