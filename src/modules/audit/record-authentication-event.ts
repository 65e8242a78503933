import { Prisma } from '../../platform/database/generated/client.ts';
import { withoutTenantScope } from '../../platform/database/scoped-prisma.ts';
import { newId } from '../../platform/ids.ts';
import type { Client } from './client.ts';

export type AuthenticationEvent = {
  /**
   * A name with hyphens, such as `sign-in`. Every action needs a sentence in the console's
   * `sentence.ts`.
   */
  action: string;
  /** Whose account it is about. */
  userId: string;
  /** NOBODY where the sender has not shown who they are, as with a wrong password. */
  actor?: 'PERSON' | 'NOBODY';
  client: Client;
  requestId?: string | null;
  /** Details, field by field; never a secret. */
  changes?: Prisma.InputJsonObject;
};

// More organizations than a person is in; it bounds what one event writes.
const organizationsMax = 100;

/**
 * Writes an event of a person's sign-in, password or second factor to the audit log of every
 * organization whose membership the person has accepted.
 */
export async function recordAuthenticationEvent(
  tx: Prisma.TransactionClient,
  { action, userId, actor = 'PERSON', client, requestId = null, changes = {} }: AuthenticationEvent,
  at: Date,
): Promise<void> {
  const ids = Array.from({ length: organizationsMax }, () => newId(at.getTime()));
  const kind = actor === 'PERSON' ? 'SESSION' : 'SYSTEM';
  const actorUserId = actor === 'PERSON' ? userId : null;
  // A person's memberships are in several organizations, whichever one the request is made in.
  await withoutTenantScope(tx, () =>
    tx.$executeRaw(Prisma.sql`
      insert into audit_entries (id, organization_id, at, actor_kind, actor_user_id, action, target_type, target_id, changes, request_id, network, device)
      select (${ids}::text[])[row_number() over ()], organization_id, ${at}::timestamptz, ${kind}::actor_kind, ${actorUserId}, ${action}, 'User', ${userId},
        ${JSON.stringify(changes)}::jsonb, ${requestId}, ${client.network}, ${client.device}
      from memberships where user_id = ${userId} and accepted_at is not null limit ${organizationsMax}`),
  );
}
