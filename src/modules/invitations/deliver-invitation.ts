import type { Context } from '../../access/context.ts';
import { type Database, unscopedDatabase } from '../../platform/database/database.ts';
import type { Language } from '../../platform/database/generated/client.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { RateLimits } from '../../platform/limits.ts';
import type { Invitation } from './invitation.ts';
import { invitationEmail } from './invitation-email.ts';
import { invitationLink } from './invitation-token.ts';
import { personName } from './person-name.ts';

/** The organization, and the person who invites if the account still exists. */
type InvitationSender = { organizationName: string; language: Language | null } & (
  | { email: string; firstName: string; lastName: string }
  | { email: null; firstName: null; lastName: null }
);
type IssuedInvitation = { invitation: Invitation; token: string };
export type DeliveredInvitation = { invitation: Invitation; link: string; isMailed: boolean };

const invitationsPerHourMax = 100;

/** Limits the invitations of an organization, because each one sends a mail to a stranger. */
export async function countInvitation(
  { organizationId }: { organizationId: string },
  { limits }: { limits: RateLimits },
): Promise<void> {
  const { exceeded } = await limits.consume(
    `invitations:${organizationId}`,
    invitationsPerHourMax,
    3_600,
  );
  if (exceeded)
    throw new AppError(
      'RATE_LIMITED',
      `An organization can send ${invitationsPerHourMax} invitations an hour; try again later`,
      'TOO_MANY_INVITATIONS',
    );
}

/**
 * The language of the recipient. An organization does not see the accounts of people who are not its
 * members, so the scope is removed; only the mail shows the result.
 */
async function languageOfAccount(email: string, database: Database): Promise<Language | null> {
  const { sql } = unscopedDatabase(database);
  const [account] = await sql<{ language: Language | null }>`
    select language from users where email = ${email}`;
  return account?.language ?? null;
}

/**
 * Mails the link if a mail server is configured, and returns it to the administrator as well. The mail
 * is in the language of the recipient's account, or else in that of the person who invites.
 */
export async function deliverInvitation(
  { invitation, token }: IssuedInvitation,
  { database, mail, origin }: Pick<Context, 'database' | 'mail' | 'origin'>,
): Promise<DeliveredInvitation> {
  const link = invitationLink(origin, token);
  if (mail.kind === 'none') return { invitation, link, isMailed: false };
  const [sender] = await database.sql<InvitationSender>`
    select o.name as "organizationName", u.email, u.first_name as "firstName", u.last_name as "lastName", u.language
    from organizations o left join users u on u.id = ${invitation.invitedById} where o.id = ${invitation.organizationId}`;
  if (!sender) throw notFound('Organization');
  const language = (await languageOfAccount(invitation.email, database)) ?? sender.language ?? 'EN';
  await mail.send(
    invitationEmail({
      ...invitation,
      ...{ link, language },
      organizationName: sender.organizationName,
      invitedBy: sender.email === null ? null : personName(sender),
    }),
  );
  return { invitation, link, isMailed: mail.kind === 'smtp' };
}
