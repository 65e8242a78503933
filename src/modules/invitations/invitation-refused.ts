import { AppError } from '../../platform/errors.ts';
import type { InvitationState } from './invitation.ts';

const messages = {
  INVITATION_EXPIRED: 'This invitation has expired; ask for a new one',
  INVITATION_USED: 'This invitation was used already',
  INVITATION_REVOKED: 'This invitation was withdrawn',
  INVITATION_FOR_ANOTHER:
    'This invitation is for another e-mail address than the one you are signed in with',
  ALREADY_MEMBER: 'You are a member of this organization already',
} as const;

type InvitationRefusalReason = keyof typeof messages;

/** The error if a person cannot accept an invitation. The page chooses its text by the reason. */
export const invitationRefused = (reason: InvitationRefusalReason): AppError =>
  new AppError(
    reason === 'INVITATION_USED' || reason === 'ALREADY_MEMBER' ? 'CONFLICT' : 'FORBIDDEN',
    messages[reason],
    reason,
  );

const reasons: Record<Exclude<InvitationState, 'OPEN'>, InvitationRefusalReason> = {
  EXPIRED: 'INVITATION_EXPIRED',
  ACCEPTED: 'INVITATION_USED',
  REVOKED: 'INVITATION_REVOKED',
};

export function requireOpen(state: InvitationState): void {
  if (state !== 'OPEN') throw invitationRefused(reasons[state]);
}
