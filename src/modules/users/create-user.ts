import { uniqueViolation } from '../../platform/database/faults.ts';
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
    const existing = await tx.user.findUnique({ where: { email }, select: { id: true, createdAt: true } });
    const user =
      existing ??
      (await tx.user.create({
        data: { id: newId(at.getTime()), email, firstName: firstName ?? '', lastName: lastName ?? '', createdAt: at },
        select: { id: true, createdAt: true },
      }));
    await joinOrganization({ organizationId, user, at }, tx);
    await record({ action: 'create-user', targetType: 'User', targetId: user.id, changes: { email, isNewUser: !existing } });
    return { userId: user.id, isNewUser: !existing };
  });
  return { user: await readMember({ organizationId, userId }, writer), isNewUser };
}
