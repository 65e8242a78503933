import type { ActorKind, Prisma } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';

/** An entry of the audit log. */
export type AuditEntry = {
  id: string;
  at: string;
  actorKind: ActorKind;
  actorKeyId: string | null;
  actorUserId: string | null;
  action: string;
  targetType: string;
  targetId: string;
  changes: Prisma.JsonValue;
  requestId: string | null;
  network: string | null;
  device: string | null;
};

/** The columns of `audit_entries e`. */
export const auditEntryColumns = fragment`
  e.id, e.at, e.actor_kind as "actorKind", e.actor_key_id as "actorKeyId", e.actor_user_id as "actorUserId", e.action,
  e.target_type as "targetType", e.target_id as "targetId", e.changes, e.request_id as "requestId", e.network, e.device`;
