import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { readSecret, spendSecret } from '../accounts/secret-link.ts';
import { acceptMembership } from './accept-membership.ts';
import { leaveOrganization } from './leave-organization.ts';

type Parts = { database: Database; clock: Clock };
type LeaveParts = Parts & { requestId: string; credentialsChanged: () => void };

/** What the page behind the link of a mail shows. */
export type AddedMembership = {
  organizationId: string;
  organizationName: string;
  userId: string;
  email: string;
};

const linkValue = z.object({ userId: z.string(), organizationId: z.string() });

/** The membership that a link is about, as long as the person has neither accepted nor left. */
export async function readAddedMembership(
  secret: string,
  { database, clock }: Parts,
): Promise<AddedMembership> {
  const value = await readSecret('added-membership', secret, clock(), database.prisma);
  if (value === undefined) throw notFound('Membership');
  const { userId, organizationId } = linkValue.parse(JSON.parse(value));
  const membership = await database.prisma.membership.findFirst({
    where: { userId, organizationId, acceptedAt: null },
    select: { organization: { select: { name: true } }, user: { select: { email: true } } },
  });
  if (!membership) throw notFound('Membership');
  return {
    userId,
    organizationId,
    organizationName: membership.organization.name,
    email: membership.user.email,
  };
}

export async function acceptAddedMembership(
  secret: string,
  parts: Parts,
): Promise<AddedMembership> {
  const membership = await readAddedMembership(secret, parts);
  await acceptMembership(membership, parts);
  await spendSecret('added-membership', secret, parts.database.prisma);
  return membership;
}

export async function declineAddedMembership(
  secret: string,
  { requestId, ...parts }: LeaveParts,
): Promise<AddedMembership> {
  const membership = await readAddedMembership(secret, parts);
  const { organizationId, userId } = membership;
  // Whoever reads the mail need not be signed in.
  await leaveOrganization(membership, {
    ...parts,
    actor: { organizationId, kind: 'SYSTEM', keyId: null, userId, requestId },
  });
  await spendSecret('added-membership', secret, parts.database.prisma);
  return membership;
}
