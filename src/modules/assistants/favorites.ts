import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Person } from './access.ts';
import { requireAssistant } from './require-assistant.ts';

type FavoriteOwner = Pick<Person, 'organizationId' | 'userId'>;

/** The condition that `assistants a` is a favourite of this person. */
export const isFavoriteOf = ({ organizationId, userId }: FavoriteOwner): Fragment => fragment`
  exists (select from assistant_favorites f
    where f.assistant_id = a.id and f.user_id = ${userId} and f.organization_id = ${organizationId})`;

/** Whether these assistants are favourites of this person, in the order of the ids. */
export async function readFavorites(
  { assistantIds, organizationId, userId }: FavoriteOwner & { assistantIds: readonly string[] },
  { sql }: Pick<Database, 'sql'>,
): Promise<boolean[]> {
  const rows = await sql<{ assistantId: string }>`
    select assistant_id as "assistantId" from assistant_favorites
    where assistant_id = any(${assistantIds}) and organization_id = ${organizationId} and user_id = ${userId}`;
  const favorites = new Set(rows.map(({ assistantId }) => assistantId));
  return assistantIds.map((id) => favorites.has(id));
}

type SetFavoriteInput = { assistantId: string; person: Person; isFavorite: boolean };

/**
 * Marks an assistant that the person may view as a favourite, or no longer. The audit log does not
 * record it: it changes nothing for anybody else.
 */
export async function setFavorite(
  { assistantId, person, isFavorite }: SetFavoriteInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  await requireAssistant({ assistantId, person, level: 'VIEW' }, { database });
  const { organizationId, userId } = person;
  await inTransaction(database, (tx) => {
    if (!isFavorite)
      tx.enqueue`
        delete from assistant_favorites
        where assistant_id = ${assistantId} and organization_id = ${organizationId} and user_id = ${userId}`;
    // The locks keep the assistant and the membership until the favourite is stored. Without one of
    // them there is nothing to store.
    else
      tx.enqueue`
        insert into assistant_favorites (assistant_id, user_id, organization_id, created_at)
        select a.id, m.user_id, a.organization_id, ${clock()}::timestamptz
        from assistants a join memberships m on m.organization_id = a.organization_id and m.user_id = ${userId}
        where a.id = ${assistantId} and a.organization_id = ${organizationId} for key share
        on conflict (assistant_id, user_id) do nothing`;
  });
}
