import type { Database } from '../../platform/database/database.ts';
import type { AccessLevel } from './access.ts';

export type AssistantShare = {
  id: string;
  assistantId: string;
  userId: string | null;
  teamId: string | null;
  level: AccessLevel;
  createdAt: string;
};

/**
 * The shares of several assistants of one organization in one query: one list per id, in the order
 * of the ids, each list oldest first.
 */
export async function listShares(
  { organizationId, assistantIds }: { organizationId: string; assistantIds: readonly string[] },
  { database }: { database: Database },
): Promise<AssistantShare[][]> {
  const rows = await database.sql<AssistantShare>`
    select id, assistant_id as "assistantId", user_id as "userId", team_id as "teamId", level, created_at as "createdAt"
    from assistant_shares where organization_id = ${organizationId} and assistant_id = any(${assistantIds}) order by created_at, id`;
  const shares = Map.groupBy(rows, ({ assistantId }) => assistantId);
  return assistantIds.map((id) => shares.get(id) ?? []);
}
