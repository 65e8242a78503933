import type { Context } from '../../../access/context.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import type { Role } from '../../../platform/database/generated/client.ts';
import { quotedName } from '../../../platform/mail/format-email.ts';
import { runInBackground } from '../run-in-background.ts';
import { securityNoticeEmail } from './emails.ts';

/**
 * The subject and the first sentence of a mail. The owner of an account gets it so that they notice
 * a change that somebody else made.
 */
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
  sentence: 'From now on you can sign in to your account with this provider.',
};

export const newDeviceNotice = (device: string): SecurityNotice => ({
  subject: 'A sign-in from a new device',
  sentence: `Somebody signed in to your account with a new browser: ${device}.`,
});

type OwnerNotification = { userId: string; notice: SecurityNotice };

/**
 * Sends a mail to the owner of an account after the response, so that a slow mail server delays no
 * request.
 */
export function notifyOwner(
  { userId, notice }: OwnerNotification,
  { database, mail, origin, log }: Pick<Context, 'database' | 'mail' | 'origin' | 'log'>,
): void {
  if (mail.kind === 'none') return;
  runInBackground(log, async () => {
    const { sql } = unscopedDatabase(database);
    const [user] = await sql<{ email: string }>`select email from users where id = ${userId}`;
    if (user) await mail.send(securityNoticeEmail({ to: user.email, origin, ...notice }));
  });
}
