import type { Prisma } from '../../platform/database/generated/client.ts';
import { beyondOrganization } from '../../platform/database/scoped-prisma.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { joinOrganization } from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type CreateUser = { email: string; firstName?: string | null | undefined; lastName?: string | null | undefined };

/** Brings a person into the organization, with a new account where there is none. The names of an existing account stay its owner's. */
export async function createUser({ email, firstName, lastName }: CreateUser, writer: Writer): Promise<{ user: Member; isNewUser: boolean }> {
  const { organizationId } = writer.actor;
  const { userId, isNewUser } = await change(writer, async (tx, record, at) => {
    const names = { firstName: firstName ?? '', lastName: lastName ?? '' };
    // An account belongs to no organization, and may be there without being a member of this one.
    const { isNewUser, ...user } = await beyondOrganization(tx, () => findOrCreate({ email, ...names, createdAt: at }, tx));
    await joinOrganization({ organizationId, user, at }, tx);
    await record({ action: 'create-user', targetType: 'User', targetId: user.id, changes: { email, isNewUser } });
    return { userId: user.id, isNewUser };
  });
  return { user: await readMember({ organizationId, userId }, writer), isNewUser };
}

type NewAccount = { email: string; firstName: string; lastName: string; createdAt: Date };
type Account = { id: string; createdAt: Date; isNewUser: boolean };

async function findOrCreate(account: NewAccount, tx: Prisma.TransactionClient): Promise<Account> {
  const { email, firstName, lastName, createdAt } = account;
  const [found] = await tx.$queryRaw<Account[]>`
    with made as (
      insert into users (id, email, first_name, last_name, created_at)
      values (${newId(createdAt.getTime())}, ${email}, ${firstName}, ${lastName}, ${createdAt}) on conflict (email) do nothing
      returning id, created_at)
    select id, created_at as "createdAt", true as "isNewUser" from made
    union all
    select id, created_at, false from users where email = ${email} and not exists (select from made)`;
  // Nobody is found where somebody else made the account while the statement ran: the next one sees it.
  return found ?? findOrCreate(account, tx);
}
