import { decodeCursor, encodeCursor } from '../../platform/database/lists/cursor.ts';
import { inputError } from '../../platform/errors.ts';

/**
 * A position in the feed. Entries are ordered by their transaction, and within one by their
 * position. The epoch names the server that assigned the transaction ids.
 */
export type FeedPosition = { epoch: string; transaction: string; position: string };

const tag = 'events';

export const toFeedCursor = ({ epoch, transaction, position }: FeedPosition): string =>
  encodeCursor([tag, epoch, transaction, position]);

/** Throws BAD_INPUT if the text is no cursor of the feed. */
export function readFeedCursor(cursor: string): FeedPosition {
  const [name, epoch, transaction, position] = decodeCursor(cursor);
  if (name === tag && epoch && isNumber(transaction) && isNumber(position))
    return { epoch, transaction, position };
  throw inputError('after', 'INVALID', 'after must be the next of an earlier answer');
}

// Postgres stores both as bigint.
const isNumber = (text: string | undefined): text is string =>
  text !== undefined && /^\d{1,18}$/.test(text);
