import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { requireTeam } from '../teams/require-team.ts';
import { resetUnclaimed } from '../users/reset-unclaimed.ts';
import { type Invitation, invitationColumns, invitationExpiry } from './invitation.ts';
import { newInvitationToken } from './invitation-token.ts';

type InviteMemberInput = {
  email: string;
  role: Invitation['role'];
  teamId?: string | null | undefined;
};

/**
 * Invites the owner of an address to the organization. An expired invitation of the same address is
 * revoked. An account with this address that is not verified loses its credentials, so that only
 * the owner of the mailbox can accept.
 */
export async function inviteMember(
  { email, role, teamId = null }: InviteMemberInput,
  writer: Writer,
): Promise<{ invitation: Invitation; token: string }> {
  const { organizationId, userId } = writer.actor;
  const { token, tokenHash } = newInvitationToken();
  try {
    const { wasReset, invitation } = await change(writer, async (tx, record, at) => {
      await refuseMember({ organizationId, email }, tx);
      if (teamId !== null) await requireTeam({ organizationId, teamId }, tx);
      tx.enqueue`
        update invitations set revoked_at = ${at}
        where organization_id = ${organizationId} and email = ${email} and accepted_at is null and revoked_at is null
          and expires_at <= ${at}`;
      const [invitation] = await tx.sql<Invitation>`
        insert into invitations (id, organization_id, email, role, team_id, token_hash, invited_by_id, created_at, expires_at)
        values (${newId(at.getTime())}, ${organizationId}, ${email}, ${role}, ${teamId}, ${tokenHash}, ${userId}, ${at}, ${invitationExpiry(at)})
        returning ${invitationColumns}`;
      if (!invitation) throw new Error('the invitation was not stored');
      const isUnclaimed = await resetInvitedAccount({ email, at }, tx);
      record({
        action: 'invite-member',
        targetType: 'Invitation',
        targetId: invitation.id,
        changes: { email, role, teamId },
      });
      return { invitation, wasReset: isUnclaimed };
    });
    if (wasReset) writer.credentialsChanged();
    return { invitation, token };
  } catch (error) {
    if (uniqueViolation(error))
      throw new AppError(
        'CONFLICT',
        'This address is invited already; make a new link for that invitation, or revoke it',
        'ALREADY_INVITED',
      );
    throw error;
  }
}

async function refuseMember(
  { organizationId, email }: { organizationId: string; email: string },
  { sql }: Transaction,
): Promise<void> {
  const members = await sql`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and u.email = ${email}`;
  if (members.length > 0)
    throw new AppError(
      'CONFLICT',
      'The user is already a member of the organization',
      'USER_IS_MEMBER',
    );
}

async function resetInvitedAccount(
  { email, at }: { email: string; at: Date },
  tx: Transaction,
): Promise<boolean> {
  // The invited person is not a member yet, so the tenant scope would hide the account.
  const [user] = await tx.withoutTenantScope(
    () => tx.sql<{ id: string }>`select id from users where email = ${email}`,
  );
  return user !== undefined && resetUnclaimed({ userId: user.id, at }, tx);
}
