import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { consumeSecret, readSecret } from '../accounts/secret-link.ts';
import { acceptMembership } from './accept-membership.ts';
import { leaveOrganization } from './leave-organization.ts';

type AddedMembershipDependencies = { database: Database; clock: Clock };
type DeclineMembershipDependencies = AddedMembershipDependencies & {
  requestId: string;
  credentialsChanged: () => void;
};

/** The data of the page behind the link in the mail. */
export type AddedMembership = {
  organizationId: string;
  organizationName: string;
  userId: string;
  email: string;
};

const secretValue = z.object({ userId: z.string(), organizationId: z.string() });

/** Reads the membership of a link; throws NOT_FOUND after the person has accepted or left. */
export async function readAddedMembership(
  secret: string,
  { database, clock }: AddedMembershipDependencies,
): Promise<AddedMembership> {
  const value = await readSecret('added-membership', secret, clock(), database);
  if (value === undefined) throw notFound('Membership');
  const { userId, organizationId } = secretValue.parse(JSON.parse(value));
  const [membership] = await database.sql<AddedMembership>`
    select o.id as "organizationId", o.name as "organizationName", u.id as "userId", u.email
    from memberships m join organizations o on o.id = m.organization_id join users u on u.id = m.user_id
    where m.user_id = ${userId} and m.organization_id = ${organizationId} and m.accepted_at is null`;
  if (!membership) throw notFound('Membership');
  return membership;
}

export async function acceptAddedMembership(
  secret: string,
  dependencies: AddedMembershipDependencies,
): Promise<AddedMembership> {
  const membership = await readAddedMembership(secret, dependencies);
  await acceptMembership(membership, dependencies);
  await consumeSecret('added-membership', secret, dependencies.database);
  return membership;
}

export async function declineAddedMembership(
  secret: string,
  { requestId, ...dependencies }: DeclineMembershipDependencies,
): Promise<AddedMembership> {
  const membership = await readAddedMembership(secret, dependencies);
  const { organizationId, userId } = membership;
  // The link is the credential: the person does not have to be signed in.
  await leaveOrganization(membership, {
    ...dependencies,
    actor: { organizationId, kind: 'SESSION', keyId: null, userId, requestId },
  });
  await consumeSecret('added-membership', secret, dependencies.database);
  return membership;
}
