import type { Language } from '../../platform/database/generated/client.ts';
import { formatEmail, quotedName } from '../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../platform/mail/mailer.ts';
import { emailText } from '../emails/email-text.ts';

type InvitationEmailInput = {
  email: string;
  language: Language;
  link: string;
  organizationName: string;
  invitedBy: string | null;
  expiresAt: string;
};

export function invitationEmail({
  email,
  language,
  link,
  organizationName: name,
  invitedBy,
  expiresAt,
}: InvitationEmailInput): EmailMessage {
  const organizationName = quotedName(name, language);
  const lead =
    invitedBy === null
      ? emailText(language, 'invitationLeadUnnamed', { organizationName })
      : emailText(language, 'invitationLead', {
          invitedBy: quotedName(invitedBy, language),
          organizationName,
        });
  return formatEmail({
    to: email,
    language,
    subject: emailText(language, 'invitationSubject'),
    paragraphs: [lead],
    action: { label: emailText(language, 'invitationAction'), url: link },
    notes: [
      emailText(language, 'invitationNote', { expiresAt: new Date(expiresAt) }),
      emailText(language, 'invitationUnknown'),
    ],
  });
}
