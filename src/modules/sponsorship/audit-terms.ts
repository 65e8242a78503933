import type { Prisma } from '../../platform/database/generated/client.ts';

/**
 * What the audit log says of a campaign's terms. Of a list it tells the length: ten thousand
 * addresses belong in no log.
 */
export function toAuditTerms(
  terms: Readonly<
    Record<string, string | number | boolean | Date | null | readonly string[] | undefined>
  >,
): Prisma.InputJsonObject {
  const said: Record<string, Prisma.InputJsonValue | null> = {};
  for (const [name, value] of Object.entries(terms)) {
    if (value === undefined) continue;
    if (value instanceof Date) said[name] = value.toISOString();
    else if (typeof value === 'object' && value !== null) said[name] = { entries: value.length };
    else said[name] = value;
  }
  return said;
}
