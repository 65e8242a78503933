import type { Prisma } from '../../src/platform/database/generated/client.ts';

export const memberFields = {
  role: true,
  acceptedAt: true,
  givenFirstName: true,
  givenLastName: true,
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

/** A person's own names and last sign-in are shown once the person has accepted the membership. */
export const userBodyOf = (member: Membership) => {
  const { role, user, acceptedAt, givenFirstName, givenLastName, teamMemberships } = member;
  const showsOwnNames = acceptedAt !== null && (user.firstName !== '' || user.lastName !== '');
  return {
    ...user,
    firstName: showsOwnNames ? user.firstName : givenFirstName,
    lastName: showsOwnNames ? user.lastName : givenLastName,
    lastLogin: acceptedAt === null ? null : user.lastLogin,
    isAdmin: role === 'ADMIN',
    teams: teamMemberships
      .map(({ team }) => team)
      .sort(
        (a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.nameKey < b.nameKey ? -1 : 1),
      ),
  };
};
