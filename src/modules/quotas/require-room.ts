import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';
import type { QuotaLimits } from './quotas.ts';
import { readQuotas } from './read-quotas.ts';

/**
 * `files` and `bytes`: how many more there will be. A replacement brings no file more, and the
 * difference in bytes.
 */
type Room = { organizationId: string; limits: QuotaLimits; files: 0 | 1; bytes: number };

/**
 * Before a file is received: refuses where there is certainly no room. Returns a check for its
 * bytes as they come: they pass until they are more than there is room for.
 */
export async function findRoom(
  { organizationId, limits, files, bytes, replacedBytes }: Room & { replacedBytes: number },
  { database }: { database: Database },
) {
  const quotas = await readQuotas({ organizationId, limits }, { database });
  const quotaOf = (wanted: 'FILES' | 'BYTES') =>
    quotas.find(({ name }) => name === wanted) ?? { used: 0, limit: 0 };
  if (files > 0 && quotaOf('FILES').used + files > quotaOf('FILES').limit)
    throw noRoomForFiles(quotaOf('FILES').limit);
  const { used, limit } = quotaOf('BYTES');
  if (bytes > 0 && used + bytes > limit) throw noRoomForBytes(limit);
  const bytesMax = Math.max(0, limit - used) + replacedBytes;
  return async function* within(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let received = 0;
    for await (const chunk of content) {
      received += chunk.length;
      if (received > bytesMax) throw noRoomForBytes(limit);
      yield chunk;
    }
  };
}

/**
 * In the transaction that adds the file: exact, for the organization's files are added one after
 * another from here to its end.
 */
export async function requireRoom(
  { organizationId, limits, files, bytes }: Room,
  tx: Prisma.TransactionClient,
): Promise<void> {
  const [full] = await tx.$queryRaw<{ quota: 'files' | 'bytes'; atMost: bigint }[]>`
    select quota, at_most as "atMost"
    from has_room_for_files(${organizationId}, ${files}::bigint, ${bytes}::bigint, ${limits.files}::bigint, ${limits.bytes}::bigint)`;
  if (full?.quota === 'files') throw noRoomForFiles(Number(full.atMost));
  if (full) throw noRoomForBytes(Number(full.atMost));
}

const whatToDo =
  'delete files that are no longer needed, or ask platform support for a higher quota';

const noRoomForFiles = (limit: number) =>
  new AppError(
    'QUOTA_EXCEEDED',
    `Your organization has all of the ${limit.toLocaleString('en')} files that it may have; ${whatToDo}`,
    'FILES',
  );

const noRoomForBytes = (limit: number) =>
  new AppError(
    'QUOTA_EXCEEDED',
    `The file does not fit: the files of your organization may have ${limit.toLocaleString('en')} bytes together; ${whatToDo}`,
    'BYTES',
  );
