import type { Prisma } from '../../../src/platform/database/generated/client.ts';
import { type Page, servePeer } from './peer.ts';
import { findKey, prisma } from './prisma-client.ts';

const memberFields = {
  role: true,
  user: { select: { id: true, email: true, firstName: true, lastName: true, createdAt: true, lastLogin: true } },
  teamMemberships: { select: { team: { select: { id: true, name: true, isDefault: true, nameKey: true } } } },
} as const satisfies Prisma.MembershipSelect;

type Membership = Prisma.MembershipGetPayload<{ select: typeof memberFields }>;

const bodyOf = ({ role, user, teamMemberships }: Membership) => ({
  ...user,
  isAdmin: role === 'ADMIN',
  teams: teamMemberships.map(({ team }) => team).sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.nameKey < b.nameKey ? -1 : 1)),
});

async function listUsers(organizationId: string, { page, pageSize, search }: Page) {
  const contains = { contains: search?.replace(/[\\%_]/g, '\\$&') ?? '', mode: 'insensitive' } as const;
  const where: Prisma.MembershipWhereInput = search
    ? { organizationId, user: { OR: [{ email: contains }, { firstName: contains }, { lastName: contains }] } }
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
  return { users: memberships.map(bodyOf), total };
}

async function getUser(organizationId: string, userId: string) {
  const membership = await prisma.membership.findUnique({ where: { organizationId_userId: { organizationId, userId } }, select: memberFields });
  return membership ? bodyOf(membership) : undefined;
}

await servePeer({ listUsers, getUser, findKey });
