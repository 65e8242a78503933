import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';

/** A key as people see it: without the key itself. */
export type ApiKey = {
  id: string;
  kind: ApiKeyKind;
  userId: string | null;
  responsibleId: string | null;
  name: string;
  prefix: string;
  lastFour: string;
  limitPerMinute: number | null;
  limitPerMinuteMax: number | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
};

/** The columns of `api_keys k`. */
export const apiKeyColumns = fragment`
  k.id, k.kind, k.user_id as "userId", k.responsible_id as "responsibleId", k.name, k.prefix, k.last_four as "lastFour",
  k.limit_per_minute as "limitPerMinute", k.limit_per_minute_max as "limitPerMinuteMax", k.created_at as "createdAt",
  k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt"`;
