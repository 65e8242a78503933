import type { Prisma } from '../../../platform/database/generated/client.ts';

/**
 * Converts the terms of a campaign for the audit log. A list is recorded by its length only,
 * because it can have 10,000 addresses.
 */
export function toAuditTerms(
  terms: Readonly<
    Record<string, string | number | boolean | Date | null | readonly string[] | undefined>
  >,
): Prisma.InputJsonObject {
  const auditTerms: Record<string, Prisma.InputJsonValue | null> = {};
  for (const [name, value] of Object.entries(terms)) {
    if (value === undefined) continue;
    if (value instanceof Date) auditTerms[name] = value.toISOString();
    else if (typeof value === 'object' && value !== null)
      auditTerms[name] = { entries: value.length };
    else auditTerms[name] = value;
  }
  return auditTerms;
}
