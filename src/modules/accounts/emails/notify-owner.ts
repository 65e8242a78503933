import type { Context } from '../../../access/context.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import type { Language, Role } from '../../../platform/database/generated/client.ts';
import { quotedName } from '../../../platform/mail/format-email.ts';
import { runInBackground } from '../../../platform/run-in-background.ts';
import { emailText } from '../../emails/email-text.ts';
import { recognizeDevice } from '../sign-in/device-name.ts';
import { securityNoticeEmail } from './emails.ts';

/**
 * The subject and the first sentence of a mail, in the language of the owner of an account. They get
 * it so that they notice a change that somebody else made.
 */
export type SecurityNotice = (language: Language) => { subject: string; sentence: string };

export const keyCreatedNotice =
  (key: string): SecurityNotice =>
  (language) => ({
    subject: emailText(language, 'keyCreatedSubject'),
    sentence: emailText(language, 'keyCreatedLead', { lastFour: key.slice(-4) }),
  });

export const roleChangedNotice =
  (role: Role, organization: string): SecurityNotice =>
  (language) => ({
    subject: emailText(language, 'roleChangedSubject'),
    sentence: emailText(language, 'roleChangedLead', {
      role,
      organizationName: quotedName(organization, language),
    }),
  });

export const providerLinkedNotice: SecurityNotice = (language) => ({
  subject: emailText(language, 'providerLinkedSubject'),
  sentence: emailText(language, 'providerLinkedLead'),
});

export const newDeviceNotice =
  (userAgent: string | null): SecurityNotice =>
  (language) => ({
    subject: emailText(language, 'newDeviceSubject'),
    sentence: emailText(language, 'newDeviceLead', { device: deviceText(userAgent, language) }),
  });

function deviceText(userAgent: string | null, language: Language): string {
  const { browser, system } = recognizeDevice(userAgent);
  if (browser && system) return emailText(language, 'browserOnSystem', { browser, system });
  return browser ?? system ?? emailText(language, 'unknownDevice');
}

/** The changes of second factors of which the owner is informed. */
export type SecondFactorChange =
  | 'authenticatorAppAdded'
  | 'authenticatorAppRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'recoveryCodesRenewed';

export const secondFactorNotice =
  (change: SecondFactorChange): SecurityNotice =>
  (language) => ({
    subject: emailText(language, 'secondFactorSubject'),
    sentence: emailText(language, change),
  });

type Recipient = { to: string; language: Language };
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
    const [user] = await sql<Recipient>`
      select email as "to", coalesce(language, 'EN') as language from users where id = ${userId}`;
    if (user) await mail.send(securityNoticeEmail({ ...user, origin, ...notice(user.language) }));
  });
}
