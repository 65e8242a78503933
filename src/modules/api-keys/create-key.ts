import type { ApiKeyKind, Prisma } from '../../platform/database/generated/client.ts';
import { newId } from '../../platform/ids.ts';
import { generateKey } from './key-format.ts';

type CreateKey = {
  kind: ApiKeyKind;
  organizationId: string;
  /** The owner of a user key. */
  userId: string | null;
  name: string;
  expiresAt?: Date | null;
  createdById: string | null;
  at: Date;
};

/** Stores a new key's hash and hands out the key, which can never be read again. */
export async function createKey(
  { kind, at, expiresAt = null, ...owner }: CreateKey,
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
