import type { Context } from '../../../access/context.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import { rateLimited } from '../../../platform/errors.ts';
import { exportConversations } from '../../conversations/export-conversations.ts';
import { readReceivedInvitations } from '../../invitations/received-invitations.ts';
import { readReceivedLinkInvitations } from '../../sponsorship/invitations/received-invitations.ts';
import { readOwnUsage } from '../../usage/read-own-usage.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';

const exportsPerHourMax = 5;
/**
 * A person makes fewer changes in years. The limit bounds the memory of one export; the newest
 * entries are exported.
 */
const entriesMax = 10_000;

type ExportAccountServices = Pick<Context, 'database' | 'clock' | 'limits'>;

/**
 * Exports all data of a person in all their organizations, without secrets. Needs a recent sign-in.
 */
export async function exportAccount(
  { userId, sessionId }: { userId: string; sessionId: string },
  services: ExportAccountServices,
): Promise<object> {
  const { database, clock, limits } = services;
  await requireRecentSignIn(sessionId, services);
  const { exceeded, retryAfterSeconds } = await limits.consume(
    `export-account:${userId}`,
    exportsPerHourMax,
    3_600,
  );
  if (exceeded) {
    throw rateLimited(
      'Your data was exported several times in this hour. Please try again later',
      retryAfterSeconds,
    );
  }
  // The person's data is in several organizations, so the tenant scope is removed. Every condition
  // names the person.
  const { prisma, sql } = unscopedDatabase(database);
  const where = { userId };
  const organization = { select: { id: true, name: true } };
  const [account, lists] = await Promise.all([
    prisma.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        ...{
          id: true,
          email: true,
          emailVerified: true,
          firstName: true,
          lastName: true,
          language: true,
          mutedNotifications: true,
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
    resolveAll({
      memberships: prisma.membership.findMany({
        where,
        select: { role: true, createdAt: true, acceptedAt: true, organization },
      }),
      teams: prisma.teamMembership.findMany({
        where,
        select: {
          createdAt: true,
          team: { select: { id: true, name: true, organizationId: true } },
        },
      }),
      keys: prisma.apiKey.findMany({
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
      sessions: prisma.session.findMany({
        where,
        select: {
          ipAddress: true,
          userAgent: true,
          createdAt: true,
          updatedAt: true,
          expiresAt: true,
        },
      }),
      shares: prisma.assistantShare.findMany({
        where,
        select: {
          level: true,
          createdAt: true,
          assistant: { select: { id: true, name: true, organizationId: true } },
        },
      }),
      favorites: prisma.assistantFavorite.findMany({
        where,
        select: {
          createdAt: true,
          assistant: { select: { id: true, name: true, organizationId: true } },
        },
      }),
      notifications: prisma.notification.findMany({
        where,
        select: {
          kind: true,
          subjectId: true,
          organizationId: true,
          createdAt: true,
          readAt: true,
        },
      }),
      redemptions: prisma.redemption.findMany({
        where,
        select: {
          redeemedAt: true,
          sponsoredUntil: true,
          campaign: { select: { name: true } },
          sponsoredOrganization: organization,
        },
      }),
      invitations: prisma.invitation.findMany({
        where: { invitedById: userId },
        select: { email: true, role: true, createdAt: true, acceptedAt: true, organization },
      }),
      usage: readOwnUsage(userId, sql),
      conversations: exportConversations({ userId }, { prisma, sql }),
      auditEntries: prisma.auditEntry.findMany({
        where: { actorUserId: userId },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: entriesMax,
        omit: { position: true, txId: true },
      }),
    }),
  ]);
  const { accounts, authenticatorApps, passkeys, recoveryCodes, ...person } = account;
  // Whoever has not proven to own an address does not learn who invited it.
  const received = { email: person.email, at: clock() };
  const [receivedInvitations, receivedOrganizationInvitations] = person.emailVerified
    ? await Promise.all([
        readReceivedLinkInvitations(received, sql),
        readReceivedInvitations(received, sql),
      ])
    : [[], []];
  const secondFactors = { authenticatorApps, passkeys, recoveryCodesLeft: recoveryCodes.length };
  const exported = {
    exportedAt: clock(),
    account: person,
    waysToSignIn: accounts,
    secondFactors,
    ...lists,
    receivedInvitations,
    receivedOrganizationInvitations,
  };
  // Converts the dates to strings.
  return JSON.parse(JSON.stringify(exported));
}

/** The values of these promises, under the same names. */
const resolveAll = async (promises: Record<string, PromiseLike<unknown>>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(promises).map(async ([name, value]) => [name, await value])),
  );
