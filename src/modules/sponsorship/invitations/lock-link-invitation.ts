import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { notFound } from '../../../platform/errors.ts';
import { type LinkInvitation, linkInvitationColumns } from './link-invitation.ts';

/** Reads an invitation of the organization, and locks it until the transaction ends. */
export async function lockLinkInvitation(
  { organizationId, id }: { organizationId: string; id: string },
  { sql }: Transaction,
): Promise<LinkInvitation> {
  const [invitation] = await sql<LinkInvitation>`
    select ${linkInvitationColumns} from link_invitations i
    where i.id = ${id} and i.organization_id = ${organizationId} for update`;
  if (!invitation) throw notFound('Invitation');
  return invitation;
}
