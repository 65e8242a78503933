import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type Invitation, invitationColumns, invitationEnd, stateOf } from './invitation.ts';
import { requireOpen } from './invitation-refused.ts';
import { newInvitationToken } from './invitation-token.ts';
import { lockInvitation } from './lock-invitation.ts';

/**
 * A new link for an invitation that is open or has expired. The link from before leads nowhere from
 * then on.
 */
export async function resendInvitation(
  { id }: { id: string },
  writer: Writer,
): Promise<{ invitation: Invitation; token: string }> {
  const { organizationId } = writer.actor;
  const { token, tokenHash } = newInvitationToken();
  const invitation = await change(writer, async (tx, record, at) => {
    const held = await lockInvitation({ id, organizationId }, tx);
    if (!held) throw notFound('Invitation');
    const state = stateOf(held, at);
    if (state !== 'EXPIRED') requireOpen(state);
    const renewed = await tx.invitation.update({
      where: { id },
      data: { tokenHash, expiresAt: invitationEnd(at) },
      select: invitationColumns,
    });
    const { email, expiresAt } = renewed;
    await record({
      action: 'resend-invitation',
      targetType: 'Invitation',
      targetId: id,
      changes: { email, expiresAt: expiresAt.toISOString() },
    });
    return renewed;
  });
  return { invitation, token };
}
