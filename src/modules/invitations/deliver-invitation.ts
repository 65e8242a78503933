import type { Context } from '../../graph/context.ts';
import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Invitation } from './invitation.ts';
import { invitationLink } from './invitation-token.ts';

type Made = { invitation: Invitation; token: string };
export type DeliveredInvitation = { invitation: Invitation; link: string; isMailed: boolean };

const anHourMax = 100;

/** Each invitation is a mail to a stranger. */
export async function countInvitation({ organizationId }: { organizationId: string }, { limits }: { limits: Limits }): Promise<void> {
  const { exceeded } = await limits.take(`invitations:${organizationId}`, anHourMax, 3_600);
  if (exceeded) throw new AppError('RATE_LIMITED', `An organization can send ${anHourMax} invitations an hour; try again later`);
}

/** Mails the link, where mail goes out, and hands it to who invites as well. */
export async function deliverInvitation(
  { invitation, token }: Made,
  { database, mail, origin }: Pick<Context, 'database' | 'mail' | 'origin'>,
): Promise<DeliveredInvitation> {
  const link = invitationLink(origin, token);
  if (mail.kind === 'none') return { invitation, link, isMailed: false };
  const { name } = await database.prisma.organization.findUniqueOrThrow({ where: { id: invitation.organizationId }, select: { name: true } });
  await mail.send({ to: invitation.email, subject: `You are invited to ${name} on Atrium`, text: textOf({ name, link, expiresAt: invitation.expiresAt }) });
  return { invitation, link, isMailed: mail.kind === 'smtp' };
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const textOf = ({ name, link, expiresAt }: { name: string; link: string; expiresAt: Date }) => `You are invited to join ${name} on Atrium.

Open this link to join. It works once, until ${day.format(expiresAt)}:

${link}

If you do not know ${name}, you need not do anything.
`;
