import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { notFound } from '../../platform/errors.ts';

type Asked = {
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

/** A page of the log that is not read yet. A long log is walked without ever being counted. */
export type AuditPage = {
  where: Prisma.AuditEntryWhereInput;
  skip: number;
  page: number;
  pageSize: number;
  /** Counts, once, when it is asked for. */
  total: () => Promise<number>;
};

export async function auditPage(
  { page, pageSize, before, from, until, ...filters }: Asked,
  { database }: { database: Database },
): Promise<AuditPage> {
  const equal = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== null && value !== undefined),
  );
  const within = { ...(from && { gte: from }), ...(until && { lt: until }) };
  const filtered: Prisma.AuditEntryWhereInput = {
    ...equal,
    organizationId: filters.organizationId,
    at: within,
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

// What Postgres takes for OFFSET is more; no log is longer.
const skipMax = 2 ** 31 - 1;

async function olderThan(
  entry: { id: string; organizationId: string },
  { database }: { database: Database },
): Promise<Prisma.AuditEntryWhereInput> {
  const found = await database.prisma.auditEntry.findFirst({
    where: entry,
    select: { id: true, at: true },
  });
  if (!found) throw notFound('Audit entry');
  // The first condition follows from the second; an index can follow only the first.
  return { at: { lte: found.at }, OR: [{ at: { lt: found.at } }, { id: { lt: found.id } }] };
}
