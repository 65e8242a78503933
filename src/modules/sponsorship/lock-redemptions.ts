import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';

type Asked = { organizationId: string; redemptionIds: readonly string[] };

/**
 * Which redemptions of this organization's campaigns a statement changes, held until it ends:
 * whoever else would change one waits, and sees what we wrote. They are taken in the order of their
 * ids, so that two who ask for the same ones never wait in a circle.
 */
export const lockedRedemptions = (
  { organizationId, redemptionIds }: Asked,
  columns: Fragment,
): Fragment => fragment`
  select r.id, ${columns} from redemptions r where r.id = any(${redemptionIds}) and r.organization_id = ${organizationId} order by r.id for no key update of r`;

/** All of them are changed or none: how many `held` must have. */
export const countOf = (redemptionIds: readonly string[]): number => new Set(redemptionIds).size;

export function requireAll(
  redemptionIds: readonly string[],
  held: readonly { id: string }[],
): void {
  const found = new Set(held.map(({ id }) => id));
  const missing = redemptionIds.find((id) => !found.has(id));
  if (missing === undefined) return;
  throw redemptionIds.length === 1
    ? notFound('Redemption')
    : new AppError('NOT_FOUND', `Redemption ${missing} not found; none of them was changed`);
}
