import type { ApiKeyKind, Prisma } from '../../platform/database/generated/client.ts';
import { newId } from '../../platform/ids.ts';
import { generateKey } from './key-format.ts';

type NewKeyInput = {
  kind: ApiKeyKind;
  organizationId: string;
  /** The owner of a user key. */
  userId: string | null;
  name: string;
  expiresAt?: Date | null;
  createdById: string | null;
  at: Date;
};

/** Stores the hash of a new key and returns the key, which cannot be read again. */
export async function createKey(
  { kind, at, expiresAt = null, ...owner }: NewKeyInput,
  tx: Prisma.TransactionClient,
): Promise<{ id: string; key: string }> {
  const id = newId(at.getTime());
  const { key, ...stored } = generateKey(kind);
  await tx.apiKey.create({
    data: {
      ...owner,
      ...stored,
      id,
      kind,
      expiresAt,
      responsibleId: kind === 'ORGANIZATION' ? owner.createdById : null,
      createdAt: at,
    },
    select: { id: true },
  });
  return { id, key };
}
