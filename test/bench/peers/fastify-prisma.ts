import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { type Page, servePeer } from './peer.ts';

// Prisma at its best: statements are prepared under a name, and errors are not rendered in colour.
const names = new Map<string, string>();
const statementNameGenerator = ({ sql }: { sql: string }): string => {
  const name = names.get(sql) ?? `s${names.size}`;
  names.set(sql, name);
  return name;
};
const adapter = new PrismaPg({ connectionString: process.env['DATABASE_URL'], max: Number(process.env['DATABASE_POOL']) }, { statementNameGenerator });
const prisma = new PrismaClient({ adapter, errorFormat: 'minimal' });

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

async function findKey(hash: Uint8Array<ArrayBuffer>) {
  const key = await prisma.apiKey.findUnique({ where: { hash, revokedAt: null }, include: { organization: { select: { features: true } } } });
  return key ? { ...key, features: key.organization.features } : undefined;
}

await servePeer({ listUsers, getUser, findKey });
