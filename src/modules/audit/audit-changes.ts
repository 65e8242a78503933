import type { Prisma } from '../../platform/database/generated/client.ts';
import type { AuditEntry } from './audit-entry.ts';
import { withoutPrivateText } from './private-text.ts';

/** A changed field. `before` is null if the entry does not have it. */
export type AuditChange = { field: string; value: unknown; before: unknown };

type StoredChanges = Pick<AuditEntry, 'targetType' | 'changes'>;

/**
 * The changes of an entry, one for each field. Entries store them as an object: the value that a
 * field had before is in `from` of an object, or in a field `before` or `statusBefore` of its own.
 */
export function changesOf(entry: StoredChanges): AuditChange[] {
  const { before, statusBefore, ...values } = objectOf(withoutPrivateText(entry));
  return Object.entries(values).map(([field, stored]) => {
    const { from, to, ...others } = objectOf(stored);
    if (from !== undefined && to !== undefined && Object.keys(others).length === 0)
      return { field, value: to, before: from };
    const known = field === 'status' ? (statusBefore ?? before) : before;
    return { field, value: stored, before: known ?? null };
  });
}

const objectOf = (value: Prisma.JsonValue | undefined): Prisma.JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
