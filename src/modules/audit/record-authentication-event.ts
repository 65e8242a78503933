import type { Prisma } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import type { AuditClient } from './audit-client.ts';

export type AuthenticationEvent = {
  /**
   * A name with hyphens, such as `sign-in`. Every action needs a sentence in the console's
   * `sentence.ts`.
   */
  action: string;
  /** The owner of the account. */
  userId: string;
  /** NOBODY if the sender is not authenticated, as with a wrong password. */
  actor?: 'PERSON' | 'NOBODY';
  client: AuditClient;
  requestId?: string | null;
  /** Details by field, without secrets. */
  changes?: Prisma.InputJsonObject;
  /** More details: SQL for the organization of a row of `memberships`. */
  changesOf?: Fragment;
};

// A person is in fewer organizations. The limit bounds the rows that one event writes.
const organizationsMax = 100;

/**
 * Writes an event of a person's sign-in, password or second factor to the audit log of every
 * organization whose membership the person has accepted.
 */
export async function recordAuthenticationEvent(
  tx: Pick<Transaction, 'enqueue' | 'withoutTenantScope'>,
  {
    action,
    userId,
    actor = 'PERSON',
    client,
    requestId = null,
    changes = {},
    changesOf = fragment`'{}'::jsonb`,
  }: AuthenticationEvent,
  at: Date,
): Promise<void> {
  const ids = Array.from({ length: organizationsMax }, () => newId(at.getTime()));
  const kind = actor === 'PERSON' ? 'SESSION' : 'SYSTEM';
  const actorUserId = actor === 'PERSON' ? userId : null;
  // The person's memberships are in several organizations, so the tenant scope is removed.
  await tx.withoutTenantScope(
    async () =>
      tx.enqueue`
        insert into audit_entries (id, organization_id, at, actor_kind, actor_user_id, action, target_type, target_id, changes, request_id, network, device)
        select (${ids}::text[])[row_number() over ()], organization_id, ${at}::timestamptz, ${kind}::actor_kind, ${actorUserId}, ${action}, 'User', ${userId},
          ${JSON.stringify(changes)}::jsonb || ${changesOf}, ${requestId}, ${client.network}, ${client.device}
        from memberships where user_id = ${userId} and accepted_at is not null limit ${organizationsMax}`,
  );
}
