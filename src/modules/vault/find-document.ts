import { type ReadVault, unlessAway } from './vault.ts';

export const documentStates = ['FOUND', 'PREVIOUS', 'MISSING', 'UNKNOWN'] as const;

/** What the vault holds of a file. */
export type VaultEntry = {
  state: (typeof documentStates)[number];
  passages: number | null;
  embedding: string | null;
  updatedAt: string | null;
};

type Asked = { assistantId: string; id: string; replacesId: string | null; signal: AbortSignal };
type Found = Awaited<ReturnType<ReadVault['document']>>;

const nothing = { passages: null, embedding: null, updatedAt: null };

/**
 * Looks for a file where it is searched, and for the version before it, which answers until the new
 * one is ready.
 */
export async function findDocument(
  { assistantId: collection, id, replacesId, signal }: Asked,
  vault: ReadVault,
): Promise<VaultEntry> {
  const look = (document: string) => vault.document({ collection, document, signal });
  const looked = await unlessAway(
    look(id).then(async (found): Promise<VaultEntry> => {
      if (found) return entryOf('FOUND', found);
      const before = replacesId === null ? undefined : await look(replacesId);
      return before ? entryOf('PREVIOUS', before) : { state: 'MISSING', ...nothing };
    }),
  );
  return looked ?? { state: 'UNKNOWN', ...nothing };
}

const entryOf = (
  state: VaultEntry['state'],
  { passages, embedding, updatedAt }: NonNullable<Found>,
): VaultEntry => ({
  ...{ state, passages, embedding },
  updatedAt: updatedAt === '' ? null : updatedAt,
});
