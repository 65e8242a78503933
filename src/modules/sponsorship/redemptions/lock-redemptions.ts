import { type Fragment, fragment } from '../../../platform/database/sql.ts';

type LockRedemptionsInput = { organizationId: string; redemptionIds: readonly string[] };

/**
 * SQL that selects and locks redemptions of this organization until the statement ends. Another
 * statement that changes one of them waits and then sees the new values. The rows are locked in the
 * order of their ids, so that two statements for the same rows cannot deadlock.
 */
export const lockRedemptions = (
  { organizationId, redemptionIds }: LockRedemptionsInput,
  columns: Fragment,
): Fragment => fragment`
  select r.id, ${columns} from redemptions r where r.id = any(${redemptionIds}) and r.organization_id = ${organizationId} order by r.id for no key update of r`;
