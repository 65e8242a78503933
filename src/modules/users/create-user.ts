import { fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import {
  alreadyMember,
  asNewMember,
  joining,
  type Place,
  placeIn,
  requireSeat,
} from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type CreateUser = {
  email: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
};
type Created = Place & { userId: string; isNewUser: boolean; wasReset: boolean };

/**
 * Brings a person into the organization, with a new account where there is none. The names are what
 * this organization calls the person: they stay with the membership, and the account has no names
 * until its owner sets them. An account whose address nobody has proven loses its credentials: a
 * stranger may have made it.
 */
export async function createUser(
  { email, firstName, lastName }: CreateUser,
  writer: Writer,
): Promise<{ user: Member; isNewUser: boolean }> {
  const { organizationId } = writer.actor;
  const create = () =>
    changeRows<Created, Created | undefined>(
      writer,
      (at) => ({
        before: fragment`
          ${placeIn(organizationId)},
          account as (
            select a.*, not a.is_new and reset_unclaimed(a.id, ${at}::timestamptz) as was_reset
            from place, account_of(${email}, ${newId(at.getTime())}, '', '', ${at}::timestamptz) a
            where "hasSeat"),
          ${joining({ organizationId, at, isAccepted: false, wasAdded: fragment`not account.is_new`, firstName: firstName ?? '', lastName: lastName ?? '' })},`,
        statement: fragment`select account.id, is_new, was_reset from account, joined`,
        rowsMax: 1,
        entry: {
          ...{ action: 'create-user', targetType: 'User', targetId: fragment`id` },
          changes: fragment`jsonb_build_object('email', ${email}::text, 'isNewUser', is_new)`,
        },
        answer: fragment`select "seatLimit", "hasSeat", id as "userId", is_new as "isNewUser", was_reset as "wasReset" from place left join changed on true`,
      }),
      ([created]) => created,
    );
  const created = await asNewMember(create);
  // Whoever is a member already is told that, also where no seat is free.
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
