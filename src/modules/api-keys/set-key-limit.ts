import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type KeyLimits, limitOfKind } from './key-limits.ts';

type KeyLimitRow = {
  kind: ApiKeyKind;
  limitPerMinute: number | null;
  limitPerMinuteMax: number | null;
  revokedAt: string | null;
};

/**
 * For administrators: sets a limit of requests per minute, at most the key's maximum. Null means
 * the maximum.
 */
export async function setKeyLimit(
  {
    id,
    limitPerMinute,
    defaults,
  }: { id: string; limitPerMinute: number | null; defaults: KeyLimits },
  writer: Writer,
) {
  await change(writer, async (tx, record) => {
    const key = await lockKey(id, writer, tx);
    const limitMax = key.limitPerMinuteMax ?? limitOfKind(key.kind, defaults);
    if (limitPerMinute !== null && limitPerMinute > limitMax)
      throw new AppError(
        'FORBIDDEN',
        `limitPerMinute must be at most ${limitMax} for this key; only platform support can allow more`,
        'KEY_LIMIT_TOO_HIGH',
      );
    if (limitPerMinute === key.limitPerMinute) return;
    tx.enqueue`update api_keys set limit_per_minute = ${limitPerMinute} where id = ${id}`;
    const changes = { before: key.limitPerMinute, limitPerMinute };
    record({ action: 'set-api-key-limit', targetType: 'ApiKey', targetId: id, changes });
  });
  writer.credentialsChanged();
}

/**
 * For platform support: sets the maximum that administrators can set for a key. Null means the
 * setting for the kind of key. The maximum is also the limit of the key, unless an administrator
 * has set a lower one.
 */
export async function setKeyLimitMax(
  {
    id,
    limitPerMinuteMax,
    defaults,
  }: { id: string; limitPerMinuteMax: number | null; defaults: KeyLimits },
  writer: Writer,
) {
  await change(writer, async (tx, record) => {
    const key = await lockKey(id, writer, tx);
    if (limitPerMinuteMax === key.limitPerMinuteMax) return;
    const limitMax = limitPerMinuteMax ?? limitOfKind(key.kind, defaults);
    const limitPerMinute =
      key.limitPerMinute !== null && key.limitPerMinute < limitMax ? key.limitPerMinute : null;
    tx.enqueue`
      update api_keys set limit_per_minute_max = ${limitPerMinuteMax}, limit_per_minute = ${limitPerMinute} where id = ${id}`;
    const changes = { before: key.limitPerMinuteMax, limitPerMinuteMax };
    record({ action: 'set-api-key-limit-max', targetType: 'ApiKey', targetId: id, changes });
  });
  writer.credentialsChanged();
}

async function lockKey(
  id: string,
  { actor: { organizationId } }: Writer,
  { sql }: Transaction,
): Promise<KeyLimitRow> {
  const [key] = await sql<KeyLimitRow>`
    select kind, limit_per_minute as "limitPerMinute", limit_per_minute_max as "limitPerMinuteMax", revoked_at as "revokedAt"
    from api_keys where id = ${id} and organization_id = ${organizationId} for no key update`;
  if (!key) throw notFound('API key');
  if (key.revokedAt) throw new AppError('CONFLICT', 'The key is revoked', 'KEY_REVOKED');
  return key;
}
