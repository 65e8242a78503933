import type { Transaction } from '../../platform/database/open-transaction.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type Invitation, type InvitationState, stateOf } from './invitation.ts';

type InvitationRow = Pick<
  Invitation,
  'email' | 'role' | 'createdAt' | 'expiresAt' | 'acceptedAt' | 'revokedAt'
> & { organization: { id: string; name: string } };
type ReceivedInvitation = InvitationRow & { state: InvitationState };

/**
 * The invitations of all organizations to an address, the newest first, for the export of a person's
 * data. The caller has checked that the address is the person's.
 */
export async function readReceivedInvitations(
  { email, at }: { email: string; at: Date },
  sql: Sql,
): Promise<ReceivedInvitation[]> {
  const rows = await sql<InvitationRow>`
    select json_build_object('id', o.id, 'name', o.name) as organization, i.email, i.role, i.created_at as "createdAt",
      i.expires_at as "expiresAt", i.accepted_at as "acceptedAt", i.revoked_at as "revokedAt"
    from invitations i join organizations o on o.id = i.organization_id
    where i.email = ${email} order by i.created_at desc, i.id desc`;
  return rows.map((row) => ({ ...row, state: stateOf(row, at) }));
}

/** Deletes the invitations to the address of a person who deletes their account. */
export function eraseReceivedInvitations(
  { email }: { email: string },
  tx: Pick<Transaction, 'enqueue'>,
): void {
  tx.enqueue`delete from invitations where email = ${email}`;
}
