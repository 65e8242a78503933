import type { Prisma } from '../../../src/platform/database/generated/client.ts';

export const memberFields = {
  role: true,
  user: {
    select: {
      id: true,
      email: true,
      firstName: true,
      lastName: true,
      createdAt: true,
      lastLogin: true,
    },
  },
  teamMemberships: {
    select: { team: { select: { id: true, name: true, isDefault: true, nameKey: true } } },
  },
} as const satisfies Prisma.MembershipSelect;

type Membership = Prisma.MembershipGetPayload<{ select: typeof memberFields }>;

export const userBodyOf = ({ role, user, teamMemberships }: Membership) => ({
  ...user,
  isAdmin: role === 'ADMIN',
  teams: teamMemberships
    .map(({ team }) => team)
    .sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.nameKey < b.nameKey ? -1 : 1)),
});
