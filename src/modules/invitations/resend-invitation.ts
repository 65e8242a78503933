import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { type Invitation, invitationExpiry, stateOf } from './invitation.ts';
import { requireOpen } from './invitation-refused.ts';
import { newInvitationToken } from './invitation-token.ts';
import { lockInvitation } from './lock-invitation.ts';

/** Creates a new link for an open or expired invitation. The previous link becomes invalid. */
export async function resendInvitation(
  { id }: { id: string },
  writer: Writer,
): Promise<{ invitation: Invitation; token: string }> {
  const { organizationId } = writer.actor;
  const { token, tokenHash } = newInvitationToken();
  const invitation = await change(writer, async (tx, record, at) => {
    const locked = await lockInvitation({ id, organizationId }, tx);
    if (!locked) throw notFound('Invitation');
    const state = stateOf(locked, at);
    if (state !== 'EXPIRED') requireOpen(state);
    const expiresAt = invitationExpiry(at).toISOString();
    tx.enqueue`update invitations set token_hash = ${tokenHash}, expires_at = ${expiresAt} where id = ${id}`;
    record({
      action: 'resend-invitation',
      targetType: 'Invitation',
      targetId: id,
      changes: { email: locked.email, expiresAt },
    });
    return { ...locked, expiresAt };
  });
  return { invitation, token };
}
