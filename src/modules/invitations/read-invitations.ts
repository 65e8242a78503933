import type { Database } from '../../platform/database/database.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

/**
 * Reads invitations in the order of the ids; null for one that does not exist or belongs to another
 * organization.
 */
export async function readInvitations(
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
  { database }: { database: Database },
): Promise<(Invitation | null)[]> {
  const rows = await database.sql<Invitation>`
    select ${invitationColumns} from invitations where id = any(${ids}) and organization_id = ${organizationId}`;
  const invitations = new Map(rows.map((invitation) => [invitation.id, invitation]));
  return ids.map((id) => invitations.get(id) ?? null);
}
