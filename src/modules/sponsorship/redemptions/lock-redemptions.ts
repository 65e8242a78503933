import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { AppError, notFound } from '../../../platform/errors.ts';

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

/** The number of rows that the lock must return: otherwise nothing is changed. */
export const countDistinct = (redemptionIds: readonly string[]): number =>
  new Set(redemptionIds).size;

/** Throws NOT_FOUND unless every redemption was locked. */
export function requireAllLocked(
  redemptionIds: readonly string[],
  lockedRows: readonly { id: string }[],
): void {
  const lockedIds = new Set(lockedRows.map(({ id }) => id));
  const missingId = redemptionIds.find((id) => !lockedIds.has(id));
  if (missingId === undefined) return;
  throw redemptionIds.length === 1
    ? notFound('Redemption')
    : new AppError('NOT_FOUND', `Redemption ${missingId} not found; none of them was changed`);
}
