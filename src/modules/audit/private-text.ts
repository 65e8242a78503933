import { hash } from 'node:crypto';
import type { Prisma } from '../../platform/database/generated/client.ts';

/**
 * The form in which the audit log stores a text that not every administrator may read: enough to
 * see that it changed, and to recognize a copy.
 */
export const digestOf = (text: string): { sha256: string; length: number } => ({
  sha256: hash('sha256', text),
  length: [...text].length,
});

/**
 * Old entries contain such texts and cannot be changed, so the text is replaced by its digest when
 * it is read.
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
