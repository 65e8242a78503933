import { fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import {
  alreadyMember,
  insertMembership,
  refuseExistingMember,
  requireSeat,
  type SeatCheck,
  selectSeat,
} from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type CreateUserInput = {
  email: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
};
type CreatedUserRow = SeatCheck & { userId: string; isNewUser: boolean; wasReset: boolean };

/**
 * Adds a person to the organization and creates an account if there is none. The organization's
 * names for the person are stored with the membership; the account has no names until its owner
 * sets them. An account with an unverified address loses its credentials, because a stranger may
 * have created it.
 */
export async function createUser(
  { email, firstName, lastName }: CreateUserInput,
  writer: Writer,
): Promise<{ user: Member; isNewUser: boolean }> {
  const { organizationId } = writer.actor;
  const create = () =>
    changeRows<CreatedUserRow, CreatedUserRow | undefined>(
      writer,
      (at) => ({
        before: fragment`
          ${selectSeat(organizationId)},
          account as (
            select a.*, not a.is_new and reset_unclaimed(a.id, ${at}::timestamptz) as was_reset
            from seat, account_of(${email}, ${newId(at.getTime())}, '', '', ${at}::timestamptz) a
            where "hasSeat"),
          ${insertMembership({ organizationId, at, isAccepted: false, wasAdded: fragment`not account.is_new`, firstName: firstName ?? '', lastName: lastName ?? '' })},`,
        statement: fragment`select account.id, is_new, was_reset from account, joined`,
        rowsMax: 1,
        entry: {
          ...{ action: 'create-user', targetType: 'User', targetId: fragment`id` },
          changes: fragment`jsonb_build_object('email', ${email}::text, 'isNewUser', is_new)`,
        },
        answer: fragment`select "seatLimit", "hasSeat", id as "userId", is_new as "isNewUser", was_reset as "wasReset" from seat left join changed on true`,
      }),
      ([created]) => created,
    );
  const created = await refuseExistingMember(create);
  // An existing member gets CONFLICT, even if no seat is free.
  if (created && !created.hasSeat && (await isMember(email, writer))) throw alreadyMember();
  requireSeat(created);
  const { userId, isNewUser, wasReset } = created;
  if (wasReset) writer.credentialsChanged();
  return { user: await readMember({ organizationId, userId }, writer), isNewUser };
}

async function isMember(
  email: string,
  { database, actor: { organizationId } }: Writer,
): Promise<boolean> {
  const [member] = await database.sql<{
    id: string;
  }>`select id from members where "organizationId" = ${organizationId} and email = ${email}`;
  return member !== undefined;
}
