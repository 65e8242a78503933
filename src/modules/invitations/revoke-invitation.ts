import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type Invitation, invitationColumns } from './invitation.ts';
import { invitationRefused } from './invitation-refused.ts';
import { lockInvitation } from './lock-invitation.ts';

/**
 * Withdraws an invitation: its link leads nowhere from then on. Again changes nothing; one that was
 * used is refused.
 */
export async function revokeInvitation(
  { id }: { id: string },
  writer: Writer,
): Promise<Invitation> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const held = await lockInvitation({ id, organizationId }, tx);
    if (!held) throw notFound('Invitation');
    if (held.acceptedAt) throw invitationRefused('INVITATION_USED');
    if (held.revokedAt) return held;
    await record({
      action: 'revoke-invitation',
      targetType: 'Invitation',
      targetId: id,
      changes: { email: held.email },
    });
    return tx.invitation.update({
      where: { id },
      data: { revokedAt: at },
      select: invitationColumns,
    });
  });
}
