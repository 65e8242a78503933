import type { Language } from '../../../platform/database/generated/client.ts';
import { formatEmail, quotedName } from '../../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../../platform/mail/mailer.ts';
import { emailText } from '../../emails/email-text.ts';

type LinkInvitationEmailInput = {
  email: string;
  url: string;
  sponsorName: string;
  durationMonths: number;
  expiresAt: string;
  isReminder: boolean;
};

/** The mail with an invitation, and the one that reminds of it. */
export function linkInvitationEmail(
  { email, url, sponsorName, durationMonths, expiresAt, isReminder }: LinkInvitationEmailInput,
  language: Language,
): EmailMessage {
  const sponsor = quotedName(sponsorName, language);
  const until = new Date(expiresAt);
  return formatEmail({
    to: email,
    language,
    subject: emailText(
      language,
      isReminder ? 'linkInvitationReminderSubject' : 'linkInvitationSubject',
    ),
    paragraphs: [
      emailText(language, 'linkInvitationLead', { sponsor, months: durationMonths }),
      ...(isReminder ? [emailText(language, 'linkInvitationReminder', { until })] : []),
    ],
    action: { label: emailText(language, 'linkInvitationAction'), url },
    notes: [
      emailText(language, 'linkInvitationOnce', { until }),
      emailText(language, 'linkInvitationUnknown'),
    ],
  });
}
