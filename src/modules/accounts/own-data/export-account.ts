import type { Context } from '../../../graph/context.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';

const exportsAnHour = 5;
/**
 * More than a person changes in years; it bounds the memory of one export. The newest are exported.
 */
const entriesMax = 10_000;

type Services = Pick<Context, 'database' | 'clock' | 'limits'>;

/**
 * Everything that is stored about a person, in all their organizations, without a secret. Needs a
 * recent sign-in.
 */
export async function exportAccount(
  { userId, sessionId }: { userId: string; sessionId: string },
  services: Services,
): Promise<object> {
  const { database, clock, limits } = services;
  await requireRecentSignIn(sessionId, services);
  if ((await limits.take(`export-account:${userId}`, exportsAnHour, 3_600)).exceeded) {
    throw new AppError(
      'RATE_LIMITED',
      'Your data was exported several times in this hour. Please try again later',
    );
  }
  // A person's data is in several organizations, whichever one the request is made in. Every
  // condition names the person.
  const { prisma } = unscopedDatabase(database);
  const where = { userId };
  const organization = { select: { id: true, name: true } };
  const [
    account,
    memberships,
    teams,
    keys,
    sessions,
    shares,
    redemptions,
    invitations,
    auditEntries,
  ] = await Promise.all([
    prisma.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        ...{
          id: true,
          email: true,
          emailVerified: true,
          firstName: true,
          lastName: true,
          createdAt: true,
          lastLogin: true,
          isPlatformSupport: true,
        },
        accounts: { select: { providerId: true, createdAt: true } },
        authenticatorApps: { select: { confirmedAt: true } },
        passkeys: { select: { name: true, createdAt: true, lastUsedAt: true } },
        recoveryCodes: { select: { id: true } },
      },
    }),
    prisma.membership.findMany({
      where,
      select: { role: true, createdAt: true, acceptedAt: true, organization },
    }),
    prisma.teamMembership.findMany({
      where,
      select: { createdAt: true, team: { select: { id: true, name: true, organizationId: true } } },
    }),
    prisma.apiKey.findMany({
      where: { OR: [{ userId }, { createdById: userId }] },
      select: {
        id: true,
        kind: true,
        organizationId: true,
        name: true,
        prefix: true,
        lastFour: true,
        createdAt: true,
        lastUsedAt: true,
        expiresAt: true,
        revokedAt: true,
      },
    }),
    prisma.session.findMany({
      where,
      select: {
        ipAddress: true,
        userAgent: true,
        createdAt: true,
        updatedAt: true,
        expiresAt: true,
      },
    }),
    prisma.assistantShare.findMany({
      where,
      select: {
        level: true,
        createdAt: true,
        assistant: { select: { id: true, name: true, organizationId: true } },
      },
    }),
    prisma.redemption.findMany({
      where,
      select: {
        redeemedAt: true,
        sponsoredUntil: true,
        campaign: { select: { name: true } },
        sponsoredOrganization: organization,
      },
    }),
    prisma.invitation.findMany({
      where: { invitedById: userId },
      select: { email: true, role: true, createdAt: true, acceptedAt: true, organization },
    }),
    prisma.auditEntry.findMany({
      where: { actorUserId: userId },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: entriesMax,
    }),
  ]);
  const { accounts, authenticatorApps, passkeys, recoveryCodes, ...person } = account;
  const secondFactors = { authenticatorApps, passkeys, recoveryCodesLeft: recoveryCodes.length };
  const exported = {
    exportedAt: clock(),
    account: person,
    waysToSignIn: accounts,
    secondFactors,
    memberships,
    teams,
    keys,
    sessions,
    shares,
    redemptions,
    invitations,
  };
  // Dates as JSON writes them.
  return JSON.parse(JSON.stringify({ ...exported, auditEntries }));
}
