import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { notFound } from '../../platform/errors.ts';

type AuditPageInput = {
  organizationId: string;
  page: number;
  pageSize: number;
  before?: string | null | undefined;
  from?: Date | null | undefined;
  until?: Date | null | undefined;
  action?: string | null | undefined;
  actorKeyId?: string | null | undefined;
  actorUserId?: string | null | undefined;
  targetType?: string | null | undefined;
  targetId?: string | null | undefined;
};

/**
 * A page of the log before its entries are read. A long log can be read page by page without
 * counting it.
 */
export type AuditPage = {
  where: Prisma.AuditEntryWhereInput;
  skip: number;
  page: number;
  pageSize: number;
  /** Counts the matching entries when it is called first. */
  total: () => Promise<number>;
};

export async function auditPage(
  { page, pageSize, before, from, until, ...filters }: AuditPageInput,
  { database }: { database: Database },
): Promise<AuditPage> {
  const equalFilters = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== null && value !== undefined),
  );
  const period = { ...(from && { gte: from }), ...(until && { lt: until }) };
  const filtered: Prisma.AuditEntryWhereInput = {
    ...equalFilters,
    organizationId: filters.organizationId,
    at: period,
  };
  const where = before
    ? {
        AND: [
          filtered,
          await olderThan({ id: before, organizationId: filters.organizationId }, { database }),
        ],
      }
    : filtered;
  let total: Promise<number> | undefined;
  return {
    where,
    skip: Math.min((page - 1) * pageSize, skipMax),
    page,
    pageSize,
    total: () => {
      total ??= database.prisma.auditEntry.count({ where: filtered });
      return total;
    },
  };
}

// Postgres accepts larger offsets, but no log is longer.
const skipMax = 2 ** 31 - 1;

async function olderThan(
  entry: { id: string; organizationId: string },
  { database }: { database: Database },
): Promise<Prisma.AuditEntryWhereInput> {
  const entryAt = await database.prisma.auditEntry.findFirst({
    where: entry,
    select: { id: true, at: true },
  });
  if (!entryAt) throw notFound('Audit entry');
  // The first condition is implied by the second. It is there because an index can serve only the
  // first.
  return { at: { lte: entryAt.at }, OR: [{ at: { lt: entryAt.at } }, { id: { lt: entryAt.id } }] };
}
