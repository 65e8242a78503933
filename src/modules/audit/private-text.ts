import { hash } from 'node:crypto';
import type { Prisma } from '../../platform/database/generated/client.ts';

/**
 * What the audit log keeps of a text that not every administrator may read: enough to see that it
 * changed, and to recognize a copy.
 */
export const digestOf = (text: string): { sha256: string; length: number } => ({
  sha256: hash('sha256', text),
  length: [...text].length,
});

/**
 * Entries from before texts were replaced by digests cannot be changed, so their texts are replaced
 * when they are read.
 */
export function withoutPrivateText({
  targetType,
  changes,
}: {
  targetType: string;
  changes: Prisma.JsonValue;
}): Prisma.JsonValue {
  if (
    targetType !== 'Assistant' ||
    typeof changes !== 'object' ||
    changes === null ||
    Array.isArray(changes)
  )
    return changes;
  const { instructions } = changes;
  return typeof instructions === 'string'
    ? { ...changes, instructions: digestOf(instructions) }
    : changes;
}
