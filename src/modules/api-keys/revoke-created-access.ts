import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';

type CreatedAccess = { organizationId: string; userId: string; at: Date };

/**
 * The common table expressions `revoked_keys` and `revoked_invitations`. They revoke what a person
 * created as an administrator, so that a former administrator can neither use those keys nor come
 * back by those invitations. Keys that another administrator has taken over stay valid. `condition`
 * says whether the person ceases to be an administrator.
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

/** The number of revoked keys and invitations, for the audit log. */
export const revokedCounts = fragment`
  jsonb_build_object(
    'revokedKeys', (select count(*) from revoked_keys), 'revokedInvitations', (select count(*) from revoked_invitations))`;

/**
 * Revokes the same in a transaction of its caller, and returns how many keys and invitations were
 * revoked.
 */
export async function revokeCreatedAccess(
  access: CreatedAccess,
  tx: Transaction,
): Promise<{ revokedKeys: number; revokedInvitations: number }> {
  const [row] = await tx.sql<{ counts: { revokedKeys: number; revokedInvitations: number } }>`
    with ${revokedAccess(access, fragment`true`)} select ${revokedCounts} as counts`;
  return row?.counts ?? { revokedKeys: 0, revokedInvitations: 0 };
}

/**
 * The numbers of what `revokeCreatedAccessOfAccount` is about to revoke in the organization of each
 * row of `memberships`.
 */
export const revokedCountsOfAccount = (userId: string): Fragment => fragment`
  jsonb_build_object(
    'revokedKeys', (
      select count(*) from api_keys k
      where k.organization_id = memberships.organization_id and k.responsible_id = ${userId} and k.revoked_at is null),
    'revokedInvitations', (
      select count(*) from invitations i
      where i.organization_id = memberships.organization_id and i.invited_by_id = ${userId} and i.accepted_at is null and i.revoked_at is null))`;

/**
 * Revokes the same in every organization, before the account of the person is deleted. Runs without
 * tenant scope, because the organizations of a person are several.
 */
export function revokeCreatedAccessOfAccount(
  { userId, at }: Omit<CreatedAccess, 'organizationId'>,
  { enqueue }: Pick<Transaction, 'enqueue'>,
): void {
  enqueue`
    update api_keys set revoked_at = ${at} where responsible_id = ${userId} and revoked_at is null`;
  enqueue`
    update invitations set revoked_at = ${at}
    where invited_by_id = ${userId} and accepted_at is null and revoked_at is null`;
}
