import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { type AuditEntry, auditEntryColumns } from './audit-entry.ts';

type AuditFilter = {
  from?: Date | null | undefined;
  until?: Date | null | undefined;
  action?: string | null | undefined;
  actorKeyId?: string | null | undefined;
  actorUserId?: string | null | undefined;
  targetType?: string | null | undefined;
  targetId?: string | null | undefined;
};
type ListEntriesInput = AuditFilter & {
  organizationId: string;
  orderBy?: OrderInput<'AT'> | null | undefined;
};

/** Lists the entries of an organization's audit log that match a filter, newest first. */
export function listEntries(
  { organizationId, orderBy, ...filter }: ListEntriesInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<AuditEntry>> {
  const condition = fragment`e.organization_id = ${organizationId} ${conditionsOf(filter)}`;
  const list: List = {
    name: 'audit-entries',
    table: fragment`audit_entries e`,
    alias: fragment`e`,
    condition,
    order: chooseOrder({ AT: [{ column: fragment`e.at`, type: 'time' }] }, orderBy, {
      field: 'AT',
      direction: 'DESC',
    }),
    id: { column: fragment`e.id`, type: 'text' },
    total: fragment`(select count(*)::int from audit_entries e where ${condition})`,
    isReadFromStart: true,
    isPlannedEachTime: true,
  };
  return readPage<AuditEntry>(list, { columns: auditEntryColumns }, request, database);
}

/**
 * What is written for each run and each processed file would hide what people do. It is listed for
 * its action, its target or the kind of its target only. The index audit_entries_list has the same
 * condition.
 */
const withoutRoutine = fragment`and e.action not in ('complete-run', 'fail-run', 'complete-file', 'fail-file')`;

const conditionsOf = ({ from, until, ...values }: AuditFilter): Fragment => fragment`
  ${(values.action ?? values.targetType ?? values.targetId) ? fragment`` : withoutRoutine}
  ${from ? fragment`and e.at >= ${from}` : fragment``}
  ${until ? fragment`and e.at < ${until}` : fragment``}
  ${equals(fragment`e.action`, values.action)}
  ${equals(fragment`e.actor_key_id`, values.actorKeyId)}
  ${equals(fragment`e.actor_user_id`, values.actorUserId)}
  ${equals(fragment`e.target_type`, values.targetType)}
  ${equals(fragment`e.target_id`, values.targetId)}`;

const equals = (column: Fragment, value: string | null | undefined): Fragment =>
  value == null ? fragment`` : fragment`and ${column} = ${value}`;
