import type { Transaction } from '../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { type Invitation, invitationColumns } from './invitation.ts';

/**
 * Finds an invitation and locks it until the transaction ends. After a wait for the lock Postgres
 * checks the condition again, because the invitation may have a new token.
 */
export async function lockInvitation(
  wanted: { tokenHash: Uint8Array } | { id: string; organizationId: string },
  { sql }: Pick<Transaction, 'sql'>,
): Promise<Invitation | undefined> {
  const [invitation] = await sql<Invitation>`
    select ${invitationColumns} from invitations where ${conditionOf(wanted)} for update`;
  return invitation;
}

const conditionOf = (wanted: Parameters<typeof lockInvitation>[0]): Fragment =>
  'tokenHash' in wanted
    ? fragment`token_hash = ${wanted.tokenHash}`
    : fragment`id = ${wanted.id} and organization_id = ${wanted.organizationId}`;
