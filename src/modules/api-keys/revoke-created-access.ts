import type { Prisma } from '../../platform/database/generated/client.ts';
import { type Fragment, fragment, statementOf } from '../../platform/database/sql.ts';

type CreatedAccess = { organizationId: string; userId: string; at: Date };

/**
 * The tables `revoked_keys` and `revoked_invitations`: what a person made as an administrator and
 * could go on using, or could come back by, when they are one no longer. Keys that another
 * administrator has taken over stay. `condition` says whether they stop being one.
 */
export const revokedAccess = (
  { organizationId, userId, at }: CreatedAccess,
  condition: Fragment,
): Fragment => fragment`
  revoked_keys as (
    update api_keys set revoked_at = ${at}::timestamptz
    where organization_id = ${organizationId} and responsible_id = ${userId} and revoked_at is null and ${condition} returning id),
  revoked_invitations as (
    update invitations set revoked_at = ${at}::timestamptz
    where organization_id = ${organizationId} and invited_by_id = ${userId} and accepted_at is null and revoked_at is null and ${condition}
    returning id)`;

/** For the line in the audit log. */
export const revokedCounts = fragment`
  jsonb_build_object(
    'revokedKeys', (select count(*) from revoked_keys), 'revokedInvitations', (select count(*) from revoked_invitations))`;

/** The same inside a transaction; how many of each ended. */
export async function revokeCreatedAccess(
  access: CreatedAccess,
  tx: Prisma.TransactionClient,
): Promise<{ revokedKeys: number; revokedInvitations: number }> {
  const { text, values } = statementOf(
    fragment`with ${revokedAccess(access, fragment`true`)} select ${revokedCounts} as counts`,
  );
  const [row] = await tx.$queryRawUnsafe<
    { counts: { revokedKeys: number; revokedInvitations: number } }[]
  >(text, ...values);
  return row?.counts ?? { revokedKeys: 0, revokedInvitations: 0 };
}
