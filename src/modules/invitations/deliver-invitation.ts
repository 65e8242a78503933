import type { Context } from '../../graph/context.ts';
import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Invitation } from './invitation.ts';
import { invitationLetter } from './invitation-letter.ts';
import { invitationLink } from './invitation-token.ts';
import { personName } from './person-name.ts';

type Made = { invitation: Invitation; token: string };
export type DeliveredInvitation = { invitation: Invitation; link: string; isMailed: boolean };

const anHourMax = 100;

/** Each invitation is a mail to a stranger. */
export async function countInvitation(
  { organizationId }: { organizationId: string },
  { limits }: { limits: Limits },
): Promise<void> {
  const { exceeded } = await limits.take(`invitations:${organizationId}`, anHourMax, 3_600);
  if (exceeded)
    throw new AppError(
      'RATE_LIMITED',
      `An organization can send ${anHourMax} invitations an hour; try again later`,
    );
}

/** Mails the link, where mail goes out, and hands it to who invites as well. */
export async function deliverInvitation(
  { invitation, token }: Made,
  { database, mail, origin }: Pick<Context, 'database' | 'mail' | 'origin'>,
): Promise<DeliveredInvitation> {
  const link = invitationLink(origin, token);
  if (mail.kind === 'none') return { invitation, link, isMailed: false };
  const { organization, invitedBy } = await database.prisma.invitation.findUniqueOrThrow({
    where: { id: invitation.id },
    select: senders,
  });
  await mail.send(
    invitationLetter({
      ...invitation,
      link,
      organizationName: organization.name,
      invitedBy: invitedBy && personName(invitedBy),
    }),
  );
  return { invitation, link, isMailed: mail.kind === 'smtp' };
}

const senders = {
  organization: { select: { name: true } },
  invitedBy: { select: { firstName: true, lastName: true, email: true } },
} as const;
