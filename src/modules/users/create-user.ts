import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { beyondOrganization } from '../../platform/database/scoped-prisma.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { joinOrganization } from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

type CreateUser = { email: string; firstName?: string | null | undefined; lastName?: string | null | undefined };

/** Brings a person into the organization, with a new account where there is none. The names of an existing account stay its owner's. */
export async function createUser(input: CreateUser, writer: Writer): Promise<{ user: Member; isNewUser: boolean }> {
  try {
    return await createOrJoin(input, writer);
  } catch (error) {
    // Somebody else made the account in the same moment: now it exists, and is joined.
    if (uniqueViolation(error)) return createOrJoin(input, writer);
    throw error;
  }
}

async function createOrJoin({ email, firstName, lastName }: CreateUser, writer: Writer) {
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

type Account = { email: string; firstName: string; lastName: string; createdAt: Date };

async function findOrCreate(account: Account, tx: Prisma.TransactionClient): Promise<{ id: string; createdAt: Date; isNewUser: boolean }> {
  const select = { id: true, createdAt: true };
  const existing = await tx.user.findUnique({ where: { email: account.email }, select });
  if (existing) return { ...existing, isNewUser: false };
  return { ...(await tx.user.create({ data: { ...account, id: newId(account.createdAt.getTime()) }, select })), isNewUser: true };
}
