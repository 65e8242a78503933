import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { inputError } from '../../../platform/errors.ts';
import { requirePeriod } from '../../../platform/require-period.ts';
import { auditEntryColumns } from '../audit-entry.ts';
import { leafColumns, type SealedEntry, type SealedRow, toSealedEntry } from './sealed-entry.ts';

type Period = { from?: Date | null | undefined; until?: Date | null | undefined };
type ReadInput = Period & {
  organizationId: string;
  /** The `next` of an earlier answer. */
  after?: string | null | undefined;
  limit: number;
};

export type SealedPage = { entries: SealedEntry[]; next: string; hasMore: boolean };

/**
 * Entries get their times before they are committed, at most ten seconds later, so the order of the
 * log differs from that of the times by less than this.
 */
const disorder = fragment`interval '1 minute'`;

const positionMax = fragment`9007199254740991::bigint`;

/**
 * The first position of a period, and the one after its last. Everything between is part of the
 * export, so that no entry can be left out unseen. At the edges there can be entries of some seconds
 * before and after the period.
 */
export const rangeOf = (organizationId: string, { from, until }: Period) => {
  const own = fragment`l.organization_id = ${organizationId}`;
  const first = from
    ? fragment`(select min(l.position) from audit_leaves l where ${own} and l.at >= ${from} and l.at < (
        select min(l.at) from audit_leaves l where ${own} and l.at >= ${from}) + ${disorder})`
    : fragment`0::bigint`;
  const end = until
    ? fragment`(select max(l.position) + 1 from audit_leaves l where ${own} and l.at < ${until} and l.at > (
        select max(l.at) from audit_leaves l where ${own} and l.at < ${until}) - ${disorder})`
    : positionMax;
  return { first, end };
};

/**
 * Reads sealed entries in the order in which they were sealed. They have positions without gaps, so
 * an entry that is committed later never comes before one that was read.
 */
export async function readSealedEntries(
  { organizationId, after, limit, ...period }: ReadInput,
  { database }: { database: Database },
): Promise<SealedPage> {
  requirePeriod(period);
  const start = after == null ? 0 : readCursor(after);
  const { first, end } = rangeOf(organizationId, period);
  const rows = await database.sql<SealedRow>`
    with bounds as (select ${end} as "end",
      greatest(${start}::bigint, coalesce(${first}, ${positionMax}), (select t.expired from audit_trees t where t.organization_id = ${organizationId})) as first)
    select ${leafColumns}, ${auditEntryColumns}
    from bounds b, audit_leaves l join audit_entries e on e.id = l.entry_id and e.organization_id = l.organization_id
    where l.organization_id = ${organizationId} and l.position >= b.first and l.position < b."end"
    order by l.position limit ${limit + 1}::int`;
  const entries = rows.slice(0, limit).map(toSealedEntry);
  const last = entries.at(-1);
  return {
    entries,
    next: String(last ? last.position + 1 : start),
    hasMore: rows.length > limit,
  };
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw inputError('after', 'INVALID', 'after must be the next of an earlier answer');
}

/** Reads the sealed entries of a range of positions. */
export async function readRange(
  { organizationId, first, end }: { organizationId: string; first: number; end: number },
  { database }: { database: Database },
): Promise<SealedEntry[]> {
  const rows = await database.sql<SealedRow>`
    select ${leafColumns}, ${auditEntryColumns}
    from audit_leaves l join audit_entries e on e.id = l.entry_id and e.organization_id = l.organization_id
    where l.organization_id = ${organizationId} and l.position >= ${first}::bigint and l.position < ${end}::bigint
    order by l.position`;
  return rows.map(toSealedEntry);
}
