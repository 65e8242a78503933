import type { Database } from '../../../platform/database/database.ts';
import { type LinkInvitation, linkInvitationColumns } from './link-invitation.ts';

/**
 * Reads invitations in the order of the ids; undefined for one that does not exist or belongs to
 * another organization.
 */
export async function readLinkInvitations(
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
  { database }: { database: Database },
): Promise<(LinkInvitation | undefined)[]> {
  const rows = await database.sql<LinkInvitation>`
    select ${linkInvitationColumns} from link_invitations i
    where i.id = any(${ids}) and i.organization_id = ${organizationId}`;
  const invitations = new Map(rows.map((invitation) => [invitation.id, invitation]));
  return ids.map((id) => invitations.get(id));
}
