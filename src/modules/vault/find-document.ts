import { undefinedIfUnavailable, type VaultReader } from './vault-access.ts';

export const documentStates = ['FOUND', 'PREVIOUS', 'MISSING', 'UNKNOWN'] as const;

/** What the vault holds of a file. */
export type VaultEntry = {
  state: (typeof documentStates)[number];
  passages: number | null;
  embedding: string | null;
  updatedAt: string | null;
};

type FindDocumentInput = {
  assistantId: string;
  id: string;
  replacesId: string | null;
  signal: AbortSignal;
};
type StoredDocument = Awaited<ReturnType<VaultReader['document']>>;

const noDetails = { passages: null, embedding: null, updatedAt: null };

/**
 * Looks up the document of a file and, if there is none, the document of the previous version,
 * which runs search until the new version is COMPLETED.
 */
export async function findDocument(
  { assistantId: collection, id, replacesId, signal }: FindDocumentInput,
  vault: VaultReader,
): Promise<VaultEntry> {
  const find = (document: string) => vault.document({ collection, document, signal });
  const entry = await undefinedIfUnavailable(
    find(id).then(async (current): Promise<VaultEntry> => {
      if (current) return entryOf('FOUND', current);
      const previous = replacesId === null ? undefined : await find(replacesId);
      return previous ? entryOf('PREVIOUS', previous) : { state: 'MISSING', ...noDetails };
    }),
  );
  return entry ?? { state: 'UNKNOWN', ...noDetails };
}

const entryOf = (
  state: VaultEntry['state'],
  { passages, embedding, updatedAt }: NonNullable<StoredDocument>,
): VaultEntry => ({
  state,
  passages,
  embedding,
  updatedAt: updatedAt === '' ? null : updatedAt,
});
