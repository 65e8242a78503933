import type { Database } from '../../../platform/database/database.ts';
import { inputError, notFound } from '../../../platform/errors.ts';
import { type Checkpoint, checkpointColumns } from './checkpoint.ts';

type ListInput = { organizationId: string; after?: string | null | undefined; limit: number };

export type CheckpointPage = { checkpoints: Checkpoint[]; next: string; hasMore: boolean };

/** Lists the checkpoints of an organization, smallest first. */
export async function listCheckpoints(
  { organizationId, after, limit }: ListInput,
  { database }: { database: Database },
): Promise<CheckpointPage> {
  const size = after == null ? 0 : readCursor(after);
  const rows = await database.sql<Checkpoint>`
    select ${checkpointColumns} from audit_checkpoints c
    where c.organization_id = ${organizationId} and c.size > ${size}::bigint
    order by c.size limit ${limit + 1}::int`;
  const checkpoints = rows.slice(0, limit);
  return {
    checkpoints,
    next: String(checkpoints.at(-1)?.size ?? size),
    hasMore: rows.length > limit,
  };
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw inputError('after', 'INVALID', 'after must be the next of an earlier answer');
}

/** The newest checkpoint of an organization; null before the first one. */
export async function readLatestCheckpoint(
  { organizationId }: { organizationId: string },
  { database }: { database: Database },
): Promise<Checkpoint | null> {
  const [checkpoint] = await database.sql<Checkpoint>`
    select ${checkpointColumns} from audit_checkpoints c
    where c.organization_id = ${organizationId} order by c.size desc limit 1`;
  return checkpoint ?? null;
}

/** The newest checkpoint of an organization. Throws NOT_FOUND before the first one. */
export async function requireLatestCheckpoint(
  input: { organizationId: string },
  dependencies: { database: Database },
): Promise<Checkpoint> {
  const checkpoint = await readLatestCheckpoint(input, dependencies);
  if (!checkpoint) throw notFound('Audit checkpoint');
  return checkpoint;
}
