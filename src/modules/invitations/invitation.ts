import { fragment } from '../../platform/database/sql.ts';

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
  createdAt: string;
  expiresAt: string;
  acceptedAt: string | null;
  revokedAt: string | null;
};

/** The columns of `invitations`. */
export const invitationColumns = fragment`
  id, organization_id as "organizationId", email, role, team_id as "teamId", invited_by_id as "invitedById",
  created_at as "createdAt", expires_at as "expiresAt", accepted_at as "acceptedAt", revoked_at as "revokedAt"`;

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
  return new Date(expiresAt) <= at ? 'EXPIRED' : 'OPEN';
}

const validityMs = 7 * 24 * 3_600_000;

export const invitationExpiry = (at: Date): Date => new Date(at.getTime() + validityMs);
