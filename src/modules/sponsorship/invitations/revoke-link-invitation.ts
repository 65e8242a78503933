import { change, type Writer } from '../../audit/record-change.ts';
import { RedemptionRefused } from '../redeeming/refusal.ts';
import type { LinkInvitation } from './link-invitation.ts';
import { lockLinkInvitation } from './lock-link-invitation.ts';

/**
 * Revokes an invitation, so that its address is refused from now on, also with a reservation. A
 * second call changes nothing; what was redeemed cannot be revoked.
 */
export async function revokeLinkInvitation(
  { id }: { id: string },
  writer: Writer,
): Promise<LinkInvitation> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const invitation = await lockLinkInvitation({ organizationId, id }, tx);
    if (invitation.redeemedAt) throw new RedemptionRefused('INVITATION_USED');
    if (invitation.revokedAt) return invitation;
    tx.enqueue`update link_invitations set revoked_at = ${at}, next_mail = null, mail_due_at = null where id = ${id}`;
    record({
      action: 'revoke-link-invitation',
      targetType: 'LinkInvitation',
      targetId: id,
      changes: { linkId: invitation.linkId, email: invitation.email },
    });
    return { ...invitation, revokedAt: at.toISOString() };
  });
}
