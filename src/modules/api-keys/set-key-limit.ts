import type { ApiKeyKind, Prisma } from '../../platform/database/generated/client.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type KeyLimits, limitOfKind } from './key-limits.ts';

type KeyLimitRow = {
  kind: ApiKeyKind;
  limitPerMinute: number | null;
  limitPerMinuteMax: number | null;
  revokedAt: Date | null;
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
      );
    if (limitPerMinute === key.limitPerMinute) return;
    await tx.apiKey.update({ where: { id }, data: { limitPerMinute }, select: { id: true } });
    const changes = { before: key.limitPerMinute, limitPerMinute };
    await record({ action: 'set-api-key-limit', targetType: 'ApiKey', targetId: id, changes });
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
    await tx.apiKey.update({
      where: { id },
      data: { limitPerMinuteMax, limitPerMinute },
      select: { id: true },
    });
    const changes = { before: key.limitPerMinuteMax, limitPerMinuteMax };
    await record({ action: 'set-api-key-limit-max', targetType: 'ApiKey', targetId: id, changes });
  });
  writer.credentialsChanged();
}

async function lockKey(
  id: string,
  { actor: { organizationId } }: Writer,
  tx: Prisma.TransactionClient,
): Promise<KeyLimitRow> {
  const [key] = await tx.$queryRaw<KeyLimitRow[]>`
    select kind, limit_per_minute as "limitPerMinute", limit_per_minute_max as "limitPerMinuteMax", revoked_at as "revokedAt"
    from api_keys where id = ${id} and organization_id = ${organizationId} for no key update`;
  if (!key) throw notFound('API key');
  if (key.revokedAt) throw new AppError('CONFLICT', 'The key is revoked');
  return key;
}
