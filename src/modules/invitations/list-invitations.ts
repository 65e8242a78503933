import type { Database } from '../../platform/database/database.ts';
import { type Page, type PageInput, toPage } from '../../platform/database/page.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

type ListInvitationsInput = PageInput & { organizationId: string };

/**
 * Lists the invitations that were neither accepted nor revoked, newest first, including expired
 * ones.
 */
export async function listInvitations(
  { organizationId, page, pageSize }: ListInvitationsInput,
  { database }: { database: Database },
): Promise<Page<Invitation>> {
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
  return toPage(items, total, { page, pageSize });
}
