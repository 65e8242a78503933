import { inputError } from '../../platform/errors.ts';

/**
 * A position in the feed. Entries are ordered by their transaction, and within one by their
 * position. The epoch names the server that assigned the transaction ids.
 */
export type FeedPosition = { epoch: string; transaction: string; position: string };

const tag = 'events';

export const toFeedCursor = ({ epoch, transaction, position }: FeedPosition): string =>
  Buffer.from(JSON.stringify([tag, epoch, transaction, position])).toString('base64url');

/** Throws BAD_INPUT if the text is no cursor of the feed. */
export function readFeedCursor(cursor: string): FeedPosition {
  const [name, epoch, transaction, position] = partsOf(cursor);
  if (name === tag && epoch && isNumber(transaction) && isNumber(position))
    return { epoch, transaction, position };
  throw inputError('after', 'INVALID', 'after must be the next of an earlier answer');
}

// Postgres stores both as bigint.
const isNumber = (text: string | undefined): text is string =>
  text !== undefined && /^\d{1,18}$/.test(text);

function partsOf(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
