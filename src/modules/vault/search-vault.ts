import type { Database } from '../../platform/database/database.ts';
import { filesOfDocuments } from '../assistant-files/files-of-documents.ts';
import type { Person } from '../assistants/access.ts';
import { requireAssistant } from '../assistants/require-assistant.ts';
import type { ReadVault } from './vault.ts';

export const searchModes = ['hybrid', 'keyword', 'vector'] as const;
export const leftOutReasons = ['NEAR_DUPLICATE', 'BELOW_LIMIT', 'NO_FILE'] as const;

type Asked = {
  assistantId: string;
  person: Person;
  query: string;
  limit: number;
  mode: (typeof searchModes)[number];
  signal: AbortSignal;
};
type Answer = Awaited<ReturnType<ReadVault['search']>>;

/** A passage under the name of its file; `documentId` is null where no file has it any more. */
export type FoundPassage = Answer['passages'][number] & {
  documentId: string | null;
  originalName: string | null;
  isPreviousVersion: boolean;
};
export type LeftOutPassage = {
  passage: FoundPassage;
  reason: (typeof leftOutReasons)[number];
  like: FoundPassage | null;
};

/** Asks the vault as a run does, and for what every stage of its search made of each passage. */
export async function searchVault(
  { assistantId, person, query, limit, mode, signal }: Asked,
  { vault, database }: { vault: ReadVault; database: Database },
) {
  await requireAssistant({ assistantId, person, level: 'VIEW' }, { database });
  const { passages, explanation, notes, tookMs } = await vault.search({
    collection: assistantId,
    query,
    limit,
    mode,
    explain: true,
    signal,
  });
  const leftOut = explanation?.leftOut ?? [];
  const documents = [...passages, ...leftOut].map(({ document }) => document);
  const fileOf = await filesOfDocuments(
    { organizationId: person.organizationId, assistantId, documents },
    { database },
  );
  const named = (passage: Answer['passages'][number]): FoundPassage => {
    const file = fileOf.get(passage.document);
    return {
      ...passage,
      documentId: file?.id ?? null,
      originalName: file?.originalName ?? null,
      isPreviousVersion: file?.isPreviousVersion ?? false,
    };
  };
  const shown = passages.map(named);
  const likeOf = (like: { document: string; ordinal: number } | null) =>
    [...shown, ...leftOut.map(named)].find(
      ({ document, ordinal }) => document === like?.document && ordinal === like.ordinal,
    ) ?? null;
  return {
    // A run leaves these out as well: an answer never cites a file that is gone.
    passages: shown.filter(({ documentId }) => documentId !== null),
    leftOut: [
      ...shown
        .filter(({ documentId }) => documentId === null)
        .map((passage): LeftOutPassage => ({ passage, reason: 'NO_FILE', like: null })),
      ...leftOut.map(
        (each): LeftOutPassage => ({
          passage: named(each),
          reason: each.reason,
          like: likeOf(each.like),
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
