import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { joinOrganization } from '../organizations/join-organization.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';
import { resetUnclaimed } from './reset-unclaimed.ts';

/**
 * Adds the owner of an existing account to the organization; the person accepts later. An account
 * with an unverified address loses its credentials.
 */
export async function addUser({ email }: { email: string }, writer: Writer): Promise<Member> {
  const { organizationId } = writer.actor;
  const { userId, wasReset } = await change(writer, async (tx, record, at) => {
    // The person is not a member yet, so the tenant scope would hide the account.
    const [user] = await tx.withoutTenantScope(
      () => tx.sql<{ id: string; createdAt: string }>`
        select id, created_at as "createdAt" from users where email = ${email}`,
    );
    if (!user) throw notFound('User');
    await joinOrganization({ organizationId, user, at, isAddedByAnother: true }, tx);
    const isUnclaimed = await resetUnclaimed({ userId: user.id, at }, tx);
    record({ action: 'add-user', targetType: 'User', targetId: user.id, changes: { email } });
    return { userId: user.id, wasReset: isUnclaimed };
  });
  if (wasReset) writer.credentialsChanged();
  return readMember({ organizationId, userId }, writer);
}
