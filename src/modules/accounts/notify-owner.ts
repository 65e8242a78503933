import type { Context } from '../../graph/context.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import type { Role } from '../../platform/database/generated/client.ts';
import { quotedName } from '../../platform/mail/letter.ts';
import { securityNoticeEmail } from './emails.ts';
import { runInBackground } from './run-in-background.ts';

/** What somebody must learn who did not do it: the subject of a mail, and its first sentence. */
export type SecurityNotice = { subject: string; sentence: string };

export const keyCreatedNotice = (key: string): SecurityNotice => ({
  subject: 'A new API key was created',
  sentence: `An API key that ends in ${key.slice(-4)} was created with your account.`,
});

export const roleChangedNotice = (role: Role, organization: string): SecurityNotice => ({
  subject: 'Your role was changed',
  sentence: `You are now ${role === 'ADMIN' ? 'an administrator' : 'a member'} of the organization ${quotedName(organization)}.`,
});

export const providerLinkedNotice: SecurityNotice = {
  subject: 'A sign-in provider was linked to your account',
  sentence: 'From now on your account can be opened by a sign-in at another provider.',
};

export const newDeviceNotice = (device: string): SecurityNotice => ({
  subject: 'A sign-in from a new device',
  sentence: `Somebody signed in to your account with a browser that it does not know yet: ${device}.`,
});

type NotifyOwner = { userId: string; notice: SecurityNotice };

/**
 * Sends the owner of an account a mail after the answer: a mail server that is slow or away holds
 * nobody up.
 */
export function notifyOwner(
  { userId, notice }: NotifyOwner,
  { database, mail, origin, log }: Pick<Context, 'database' | 'mail' | 'origin' | 'log'>,
): void {
  if (mail.kind === 'none') return;
  runInBackground(log, async () => {
    const { prisma } = unscopedDatabase(database);
    const user = await prisma.user.findUnique({ where: { id: userId }, select: { email: true } });
    if (user) await mail.send(securityNoticeEmail({ to: user.email, origin, ...notice }));
  });
}
