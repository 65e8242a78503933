import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError } from '../../platform/errors.ts';
import type { QuotaLimits } from './quotas.ts';
import { readQuotas } from './read-quotas.ts';

/**
 * `files` and `bytes` are the increase. For a replacement `files` is 0, and `bytes` is the
 * difference between the sizes of the new and the old file.
 */
type FileQuotaInput = { organizationId: string; limits: QuotaLimits; files: number; bytes: number };

/**
 * Checks the quota before a file is received, and throws if the file cannot fit. Returns a wrapper
 * for the content of the files that throws as soon as more bytes have arrived than the quota has
 * left.
 */
export async function checkFileQuota(
  {
    organizationId,
    limits,
    files,
    bytes,
    replacedBytes,
  }: FileQuotaInput & { replacedBytes: number },
  { database }: { database: Database },
) {
  const quotas = await readQuotas({ organizationId, limits }, { database });
  const quotaOf = (quotaName: 'FILES' | 'BYTES') =>
    quotas.find(({ name }) => name === quotaName) ?? { used: 0, limit: 0 };
  if (files > 0 && quotaOf('FILES').used + files > quotaOf('FILES').limit)
    throw fileQuotaExceeded(quotaOf('FILES').limit);
  const { used, limit } = quotaOf('BYTES');
  if (bytes > 0 && used + bytes > limit) throw byteQuotaExceeded(limit);
  const bytesMax = Math.max(0, limit - used) + replacedBytes;
  let received = 0;
  return async function* limitContent(
    content: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      received += chunk.length;
      if (received > bytesMax) throw byteQuotaExceeded(limit);
      yield chunk;
    }
  };
}

/**
 * Checks the quota in the transaction that adds the file, and throws if the file does not fit. This
 * check is exact, because it locks the file quota of the organization until the transaction ends.
 */
export async function requireFileQuota(
  { organizationId, limits, files, bytes }: FileQuotaInput,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<void> {
  const [exceeded] = await sql<{ quota: 'files' | 'bytes'; limit: number }>`
    select quota, at_most as "limit"
    from has_room_for_files(${organizationId}, ${files}::bigint, ${bytes}::bigint, ${limits.files}::bigint, ${limits.bytes}::bigint)`;
  if (exceeded?.quota === 'files') throw fileQuotaExceeded(exceeded.limit);
  if (exceeded) throw byteQuotaExceeded(exceeded.limit);
}

const remedy = 'delete files that are no longer needed, or ask platform support for a higher quota';

const fileQuotaExceeded = (limit: number) =>
  new AppError(
    'QUOTA_EXCEEDED',
    `Your organization has all of the ${limit.toLocaleString('en')} files that it may have; ${remedy}`,
    'FILES',
  );

const byteQuotaExceeded = (limit: number) =>
  new AppError(
    'QUOTA_EXCEEDED',
    `The file does not fit: the files of your organization may have ${limit.toLocaleString('en')} bytes together; ${remedy}`,
    'BYTES',
  );
