import type { Prisma } from '../../src/platform/database/generated/client.ts';
import { type PageRequest, servePeer } from './peer.ts';
import { findKey, prisma } from './prisma-client.ts';
import { memberFields, userBodyOf } from './prisma-members.ts';

async function listUsers(organizationId: string, { page, pageSize, search }: PageRequest) {
  const contains = {
    contains: search?.replace(/[\\%_]/g, '\\$&') ?? '',
    mode: 'insensitive',
  } as const;
  const where: Prisma.MembershipWhereInput = search
    ? {
        organizationId,
        user: { OR: [{ email: contains }, { firstName: contains }, { lastName: contains }] },
      }
    : { organizationId };
  const [memberships, total] = await Promise.all([
    prisma.membership.findMany({
      where,
      select: memberFields,
      orderBy: [{ userCreatedAt: 'desc' }, { userId: 'desc' }],
      take: pageSize,
      skip: (page - 1) * pageSize,
    }),
    prisma.membership.count({ where }),
  ]);
  return { users: memberships.map(userBodyOf), total };
}

async function getUser(organizationId: string, userId: string) {
  const membership = await prisma.membership.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: memberFields,
  });
  return membership ? userBodyOf(membership) : undefined;
}

await servePeer({ listUsers, getUser, findKey });
