import type { Database } from '../../platform/database/database.ts';
import { type AuditEntry, auditEntryColumns } from './audit-entry.ts';

/**
 * Reads entries of the audit log in the order of the ids; null for one that does not exist or
 * belongs to another organization.
 */
export async function readEntries(
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
  { database }: { database: Database },
): Promise<(AuditEntry | null)[]> {
  const rows = await database.sql<AuditEntry>`
    select ${auditEntryColumns} from audit_entries e where e.id = any(${ids}) and e.organization_id = ${organizationId}`;
  const entries = new Map(rows.map((entry) => [entry.id, entry]));
  return ids.map((id) => entries.get(id) ?? null);
}
