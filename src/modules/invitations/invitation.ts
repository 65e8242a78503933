/**
 * An invitation to join an organization. The database stores only a hash of the token in its link.
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

/** The columns of every query for an invitation. */
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

const validityMs = 7 * 24 * 3_600_000;

export const invitationExpiry = (at: Date): Date => new Date(at.getTime() + validityMs);
