import { beyondOrganization } from '../../platform/database/scoped-prisma.ts';
import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { joinOrganization } from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';

/** Makes the owner of an existing account a member of the organization. */
export async function addUser({ email }: { email: string }, writer: Writer): Promise<Member> {
  const { organizationId } = writer.actor;
  const userId = await change(writer, async (tx, record, at) => {
    // It is no member yet.
    const user = await beyondOrganization(tx, () => tx.user.findUnique({ where: { email }, select: { id: true, createdAt: true } }));
    if (!user) throw notFound('User');
    await joinOrganization({ organizationId, user, at }, tx);
    await record({ action: 'add-user', targetType: 'User', targetId: user.id, changes: { email } });
    return user.id;
  });
  return readMember({ organizationId, userId }, writer);
}
