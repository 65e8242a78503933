import type { ApiKeyKind, Prisma } from '../../platform/database/generated/client.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type KeyLimits, limitOfKind } from './key-limits.ts';

type KeyRow = {
  kind: ApiKeyKind;
  limitPerMinute: number | null;
  limitPerMinuteMax: number | null;
  revokedAt: Date | null;
};

/**
 * For administrators: fewer requests a minute than the key may have at most; null: as many as that.
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
    const most = key.limitPerMinuteMax ?? limitOfKind(key.kind, defaults);
    if (limitPerMinute !== null && limitPerMinute > most)
      throw new AppError(
        'FORBIDDEN',
        `limitPerMinute must be at most ${most} for this key; only platform support can allow more`,
      );
    if (limitPerMinute === key.limitPerMinute) return;
    await tx.apiKey.update({ where: { id }, data: { limitPerMinute }, select: { id: true } });
    const changes = { before: key.limitPerMinute, limitPerMinute };
    await record({ action: 'set-api-key-limit', targetType: 'ApiKey', targetId: id, changes });
  });
  writer.credentialsChanged();
}

/**
 * For platform support: the most that administrators can set for a key; null: the setting for its
 * kind. The key has that many from now on, unless an administrator has set fewer.
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
    const most = limitPerMinuteMax ?? limitOfKind(key.kind, defaults);
    const limitPerMinute =
      key.limitPerMinute !== null && key.limitPerMinute < most ? key.limitPerMinute : null;
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
): Promise<KeyRow> {
  const [key] = await tx.$queryRaw<KeyRow[]>`
    select kind, limit_per_minute as "limitPerMinute", limit_per_minute_max as "limitPerMinuteMax", revoked_at as "revokedAt"
    from api_keys where id = ${id} and organization_id = ${organizationId} for no key update`;
  if (!key) throw notFound('API key');
  if (key.revokedAt) throw new AppError('CONFLICT', 'The key is revoked');
  return key;
}
