import { type ItemRefusal, requireEveryItem } from '../../platform/bulk.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import {
  alreadyMember,
  insertMembership,
  noFreeSeat,
  selectSeat,
} from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMembers } from './read-members.ts';

export type NewUser = {
  email: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
};
type CreateUsersInput = {
  /** Each address once. */
  users: readonly NewUser[];
  /** True: if one is refused, none is created, and the error names all that are refused. */
  isAtomic: boolean;
};
export type CreatedUser =
  | { refusal: null; user: Member; isNewUser: boolean }
  | { refusal: NonNullable<ItemRefusal>; user: null; isNewUser: null };

/** What happened to the user at a position of the list. */
type UserRow = {
  email: string;
  seatLimit: number | null;
  wasMember: boolean;
  hadSeat: boolean;
  /** Null if the user was not added. */
  userId: string | null;
  isNewUser: boolean;
  wasReset: boolean;
};

/**
 * Adds people to the organization and creates accounts for those who have none. The organization's
 * names for a person are stored with the membership; the account has no names until its owner sets
 * them. An account with an unverified address loses its credentials, because a stranger may have
 * created it. If seats are limited, the first of the list get the free ones. One statement adds all
 * of them. Returns the outcomes in the order of the list.
 */
export async function createUsers(
  { users, isAtomic }: CreateUsersInput,
  writer: Writer,
): Promise<CreatedUser[]> {
  if (users.length === 0) return [];
  const { organizationId } = writer.actor;
  const rows = await addUsers({ users, isAtomic }, writer);
  if (rows.length === 0) throw new Error('the organization is gone');
  const refusals = await refusalsOf(rows, writer);
  if (isAtomic) requireEveryItem(refusals, 'users');
  if (rows.some(({ wasReset }) => wasReset)) writer.credentialsChanged();
  const members = await readMembers(
    { organizationId, userIds: rows.map(({ userId }) => userId ?? '') },
    writer,
  );
  return rows.map(({ isNewUser }, index) => {
    const [refusal, user] = [refusals[index], members[index]];
    if (refusal) return { refusal, user: null, isNewUser: null };
    if (!user) throw new Error('a new member was removed at once');
    return { refusal: null, user, isNewUser };
  });
}

/** Ends a transaction that would add some users and not all. */
class NotAllAdded extends Error {
  readonly rows: UserRow[];

  constructor(rows: UserRow[]) {
    super('not all users were added');
    this.rows = rows;
  }
}

/** Returns the row of each user, in the order of the list. If it rolled back, a row is refused. */
async function addUsers({ users, isAtomic }: CreateUsersInput, writer: Writer): Promise<UserRow[]> {
  try {
    return await changeRows<UserRow, UserRow[]>(
      writer,
      (at) => ({
        before: fragment`
          ${itemsOf(users, at)},
          ${selectSeat(writer.actor.organizationId)},
          ${selectAccounts(writer.actor.organizationId, at)},
          ${insertMembership({
            ...{ organizationId: writer.actor.organizationId, at, isAccepted: false },
            ...{ wasAdded: fragment`not account.is_new`, refusesMembers: false },
            ...{ firstName: fragment`account.first_name`, lastName: fragment`account.last_name` },
          })},`,
        statement: fragment`
          select account.id, position, email, is_new, not is_new and reset_unclaimed(account.id, ${at}::timestamptz) as was_reset
          from account join joined on joined.user_id = account.id`,
        rowsMax: users.length,
        canRollBack: isAtomic,
        entry: {
          ...{ action: 'create-user', targetType: 'User', targetId: fragment`id` },
          changes: fragment`jsonb_build_object('email', email, 'isNewUser', is_new)`,
        },
        answer: fragment`
          select items.email, "seatLimit", candidate.position is null as "wasMember", account.position is not null as "hadSeat",
            changed.id as "userId", coalesce(is_new_user, false) as "isNewUser", coalesce(was_reset, false) as "wasReset"
          from items cross join seat
          left join candidate on candidate.position = items.position
          left join account on account.position = items.position
          left join (select id, position, is_new as is_new_user, was_reset from changed) changed on changed.position = items.position
          order by items.position`,
      }),
      (rows) => {
        if (isAtomic && rows.some(({ userId }) => userId === null)) throw new NotAllAdded(rows);
        return rows;
      },
    );
  } catch (error) {
    if (error instanceof NotAllAdded) return error.rows;
    throw error;
  }
}

/** SQL for the table `items`: the list. */
function itemsOf(users: readonly NewUser[], at: Date): Fragment {
  const items = users.map(({ email, firstName, lastName }, position) => ({
    ...{ position, email, new_id: newId(at.getTime()) },
    ...{ first_name: firstName ?? '', last_name: lastName ?? '' },
  }));
  return fragment`
    items as (
      select * from json_to_recordset(${JSON.stringify(items)}::json)
        as item (position int, email text, new_id text, first_name text, last_name text))`;
}

/**
 * SQL for the tables `candidate`, those of the list who are not members yet, and `account`, the
 * accounts of those who get a seat. `limit 1` makes Postgres look each address up by its index;
 * without it, it read every account or every membership of the organization. Accounts are created
 * in the order of their addresses, so that two statements with the same addresses cannot deadlock.
 */
const selectAccounts = (organizationId: string, at: Date): Fragment => fragment`
  candidate as (
    select items.*, row_number() over (order by position) as rank from items
    left join lateral (select u.id from users u where u.email = items.email limit 1) known on true
    left join lateral (
      select m.user_id from memberships m where m.user_id = known.id and m.organization_id = ${organizationId} limit 1) member on true
    where member.user_id is null),
  account as (
    select seated.position, seated.email, seated.first_name, seated.last_name, a.id, a.created_at, a.is_new
    from (select candidate.* from candidate, seat where free_seats is null or rank <= free_seats order by email) seated,
      account_of(seated.email, seated.new_id, '', '', ${at}::timestamptz) a)`;

/** An existing member gets CONFLICT, even if no seat is free. */
async function refusalsOf(rows: readonly UserRow[], writer: Writer): Promise<ItemRefusal[]> {
  const unseated = rows.filter(({ wasMember, hadSeat }) => !wasMember && !hadSeat);
  const members = await membersAmong(unseated, writer);
  return rows.map(({ email, seatLimit, userId, wasMember, hadSeat }) => {
    if (userId !== null) return null;
    return wasMember || hadSeat || members.has(email) ? alreadyMember() : noFreeSeat({ seatLimit });
  });
}

/** The addresses of those who became members while the statement waited for a seat. */
async function membersAmong(
  rows: readonly UserRow[],
  { database, actor: { organizationId } }: Writer,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const members = await database.sql<{ email: string }>`
    select email from members where "organizationId" = ${organizationId} and email = any(${rows.map(({ email }) => email)})`;
  return new Set(members.map(({ email }) => email));
}
