import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Invitation } from './invitation.ts';
import { invitationRefused } from './invitation-refused.ts';
import { lockInvitation } from './lock-invitation.ts';

/**
 * Revokes an invitation, so that its link becomes invalid. A second call changes nothing; an
 * accepted invitation cannot be revoked.
 */
export async function revokeInvitation(
  { id }: { id: string },
  writer: Writer,
): Promise<Invitation> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const invitation = await lockInvitation({ id, organizationId }, tx);
    if (!invitation) throw notFound('Invitation');
    if (invitation.acceptedAt) throw invitationRefused('INVITATION_USED');
    if (invitation.revokedAt) return invitation;
    record({
      action: 'revoke-invitation',
      targetType: 'Invitation',
      targetId: id,
      changes: { email: invitation.email },
    });
    tx.enqueue`update invitations set revoked_at = ${at} where id = ${id}`;
    return { ...invitation, revokedAt: at.toISOString() };
  });
}
