import { fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import { asNewMember, joining, type Place, placeIn, requireSeat } from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type CreateUser = { email: string; firstName?: string | null | undefined; lastName?: string | null | undefined };
type Created = Place & { userId: string; isNewUser: boolean };

/** Brings a person into the organization, with a new account where there is none. The names of an existing account stay its owner's. */
export async function createUser({ email, firstName, lastName }: CreateUser, writer: Writer): Promise<{ user: Member; isNewUser: boolean }> {
  const { organizationId } = writer.actor;
  const create = () =>
    changeRows<Created, Created>(
      writer,
      (at) => ({
        before: fragment`
          ${placeIn(organizationId)},
          account as (
            select a.* from place, account_of(${email}, ${newId(at.getTime())}, ${firstName ?? ''}, ${lastName ?? ''}, ${at}::timestamptz) a
            where "hasSeat"),
          ${joining({ organizationId, at })},`,
        statement: fragment`select account.id, is_new from account, joined`,
        rowsMax: 1,
        entry: {
          ...{ action: 'create-user', targetType: 'User', targetId: fragment`id` },
          changes: fragment`jsonb_build_object('email', ${email}::text, 'isNewUser', is_new)`,
        },
        answer: fragment`select "seatLimit", "hasSeat", id as "userId", is_new as "isNewUser" from place left join changed on true`,
      }),
      ([created]) => {
        requireSeat(created);
        return created;
      },
    );
  const { userId, isNewUser } = await asNewMember(create);
  return { user: await readMember({ organizationId, userId }, writer), isNewUser };
}
