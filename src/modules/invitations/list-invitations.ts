import type { Database } from '../../platform/database/database.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

export type InvitationPage = {
  items: Invitation[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
};

type ListInvitationsInput = { organizationId: string; page: number; pageSize: number };

/**
 * Lists the invitations that were neither accepted nor revoked, newest first, including expired
 * ones.
 */
export async function listInvitations(
  { organizationId, page, pageSize }: ListInvitationsInput,
  { database }: { database: Database },
): Promise<InvitationPage> {
  const where = { organizationId, acceptedAt: null, revokedAt: null };
  const total = await database.prisma.invitation.count({ where });
  const skip = (page - 1) * pageSize;
  const items =
    skip >= total
      ? []
      : await database.prisma.invitation.findMany({
          where,
          select: invitationColumns,
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          skip,
          take: pageSize,
        });
  return { items, total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
}
