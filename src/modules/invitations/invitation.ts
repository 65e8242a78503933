/**
 * Somebody is asked to join an organization. Its link is not here: only who was given it has it.
 */
export type Invitation = {
  id: string;
  organizationId: string;
  email: string;
  role: 'ADMIN' | 'MEMBER';
  teamId: string | null;
  invitedById: string | null;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
};

/** What is read of an invitation, wherever one is read. */
export const invitationColumns = {
  id: true,
  organizationId: true,
  email: true,
  role: true,
  teamId: true,
  invitedById: true,
  createdAt: true,
  expiresAt: true,
  acceptedAt: true,
  revokedAt: true,
} as const;

export type InvitationState = 'OPEN' | 'EXPIRED' | 'ACCEPTED' | 'REVOKED';

export const invitationStates = [
  'OPEN',
  'EXPIRED',
  'ACCEPTED',
  'REVOKED',
] as const satisfies InvitationState[];

export function stateOf(
  { acceptedAt, revokedAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'revokedAt' | 'expiresAt'>,
  at: Date,
): InvitationState {
  if (acceptedAt) return 'ACCEPTED';
  if (revokedAt) return 'REVOKED';
  return expiresAt <= at ? 'EXPIRED' : 'OPEN';
}

const validMs = 7 * 24 * 3_600_000;

export const invitationEnd = (at: Date): Date => new Date(at.getTime() + validMs);
