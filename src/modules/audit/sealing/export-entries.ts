import type { Database } from '../../../platform/database/database.ts';
import { requirePeriod } from '../../../platform/require-period.ts';
import type { Checkpoint } from './checkpoint.ts';
import { readLatestCheckpoint } from './read-checkpoints.ts';
import { rangeOf, readRange } from './read-sealed-entries.ts';
import { readSubtrees } from './read-subtrees.ts';
import type { SealedEntry } from './sealed-entry.ts';

/** What the end of an export has to check its lines. */
export type ExportEnd = {
  /** The position of the first entry. */
  first: number;
  /** How many entries the export has. */
  entries: number;
  /** Covers all entries of the export. */
  checkpoint: Checkpoint;
  /** The hashes of the complete subtrees before the first entry, from left to right. */
  before: string[];
  /** Those between the last entry and the size of the checkpoint. */
  after: string[];
};

export type ExportBatch = { items: SealedEntry[]; end: ExportEnd | null };

type ExportInput = {
  organizationId: string;
  from?: Date | null | undefined;
  until?: Date | null | undefined;
  /** Aborted when the export ends early. */
  signal: AbortSignal;
};

/** How many entries one statement reads. */
export const exportBatchMax = 500;

/**
 * Reads the sealed entries of a period in batches, up to the newest checkpoint. The last batch has
 * the end of the export. Nothing comes before the first checkpoint.
 */
export async function* exportEntries(
  { organizationId, signal, ...period }: ExportInput,
  { database }: { database: Database },
): AsyncGenerator<ExportBatch, void> {
  requirePeriod(period);
  const checkpoint = await readLatestCheckpoint({ organizationId }, { database });
  if (!checkpoint) return;
  const { size } = checkpoint;
  const range = rangeOf(organizationId, period);
  const [row] = await database.sql<{ first: number; end: number }>`
    select greatest(coalesce(${range.first}, ${size}::bigint), t.expired)::float8 as first, least(coalesce(${range.end}, 0), ${size}::bigint)::float8 as end
    from audit_trees t where t.organization_id = ${organizationId}`;
  const first = Math.min(row?.first ?? size, size);
  const end = Math.max(row?.end ?? 0, first);
  for (let at = first; at < end; at += exportBatchMax) {
    signal.throwIfAborted();
    const items = await readRange(
      { organizationId, first: at, end: Math.min(at + exportBatchMax, end) },
      { database },
    );
    if (items.length > 0) yield { items, end: null };
  }
  const [before = [], after = []] = await readSubtrees(
    {
      organizationId,
      ranges: [
        { start: 0, end: first },
        { start: end, end: size },
      ],
    },
    { database },
  );
  const hex = (subtrees: typeof before) => subtrees.map(({ hash }) => hash.toString('hex'));
  yield {
    items: [],
    end: { first, entries: end - first, checkpoint, before: hex(before), after: hex(after) },
  };
}
