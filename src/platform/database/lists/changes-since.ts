import { inputError } from '../../errors.ts';
import { type Fragment, fragment } from '../sql.ts';
import type { ListOrder } from './order.ts';

type ChangesInput = { updatedSince?: Date | null | undefined; orderBy?: object | null | undefined };

/** The order of a list of changes, and its condition, which is empty for a list of all rows. */
type Changes = { order: ListOrder | undefined; condition: Fragment };

/**
 * Restricts a list to the rows that were changed since a time, from the earliest change to the
 * latest. A row that changes while others read the pages moves to the end of the list, so that they
 * meet it again instead of missing it.
 */
export function changesSince(
  { updatedSince, orderBy }: ChangesInput,
  updatedAt: Fragment,
): Changes {
  if (!updatedSince) return { order: undefined, condition: fragment`` };
  if (orderBy)
    throw inputError(
      'orderBy',
      'INVALID',
      'orderBy cannot be used with updatedSince, which lists the earliest change first',
    );
  return {
    order: {
      name: 'UPDATED_AT',
      direction: 'ASC',
      keys: [{ column: updatedAt, type: 'time' }],
    },
    condition: fragment`and ${updatedAt} >= ${updatedSince}`,
  };
}
