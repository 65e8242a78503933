import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
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
export function createKey(
  { kind, organizationId, userId, name, expiresAt = null, createdById, at }: NewKeyInput,
  tx: Pick<Transaction, 'enqueue'>,
): { id: string; key: string } {
  const id = newId(at.getTime());
  const { key, hash, prefix, lastFour } = generateKey(kind);
  const responsibleId = kind === 'ORGANIZATION' ? createdById : null;
  tx.enqueue`
    insert into api_keys (id, kind, organization_id, user_id, name, hash, prefix, last_four, expires_at, created_by_id, responsible_id, created_at)
    values (${id}, ${kind}, ${organizationId}, ${userId}, ${name}, ${hash}, ${prefix}, ${lastFour}, ${expiresAt}, ${createdById}, ${responsibleId}, ${at})`;
  return { id, key };
}
