import type { Database } from '../../platform/database/database.ts';
import { type Page, type PageInput, toPage } from '../../platform/database/page.ts';
import { fragment, rowLimit } from '../../platform/database/sql.ts';
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
  const open = fragment`organization_id = ${organizationId} and accepted_at is null and revoked_at is null`;
  const [count] = await database.sql<{ total: number }>`
    select count(*)::int as total from invitations where ${open}`;
  const total = count?.total ?? 0;
  const offset = (page - 1) * pageSize;
  const items =
    offset >= total
      ? []
      : await database.sql<Invitation>`
          select ${invitationColumns} from invitations where ${open}
          order by created_at desc, id desc limit ${rowLimit(pageSize)} offset ${offset}`;
  return toPage(items, total, { page, pageSize });
}
