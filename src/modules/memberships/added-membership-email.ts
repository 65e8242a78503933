import type { Language } from '../../platform/database/generated/client.ts';
import { formatEmail, quotedName } from '../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../platform/mail/mailer.ts';
import { emailText } from '../emails/email-text.ts';

type AddedMembershipEmailInput = {
  email: string;
  language: Language;
  organizationName: string;
  origin: string;
  secret: string;
};

/**
 * The mail to a person whose account an organization has added. The subject does not contain the
 * organization's name, because that name could look like a message from Atrium.
 */
export const addedMembershipEmail = ({
  email,
  language,
  organizationName,
  origin,
  secret,
}: AddedMembershipEmailInput): EmailMessage =>
  formatEmail({
    to: email,
    language,
    subject: emailText(language, 'addedSubject'),
    paragraphs: [
      emailText(language, 'addedLead', {
        organizationName: quotedName(organizationName, language),
        origin,
      }),
      emailText(language, 'addedHint'),
    ],
    action: {
      label: emailText(language, 'addedAction'),
      url: `${origin}/auth/membership?token=${secret}`,
    },
    notes: [emailText(language, 'addedNote'), emailText(language, 'addedUnknown')],
  });
