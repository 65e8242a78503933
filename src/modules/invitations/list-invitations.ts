import type { Database } from '../../platform/database/database.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

export type InvitationPage = {
  items: Invitation[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
};

type ListInvitations = { organizationId: string; page: number; pageSize: number };

/**
 * Invitations that nobody has used or withdrawn, newest first; those that have expired among them.
 */
export async function listInvitations(
  { organizationId, page, pageSize }: ListInvitations,
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
