import { formatEmail, quotedName } from '../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../platform/mail/mailer.ts';

type AddedMembershipEmailInput = {
  email: string;
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
  organizationName,
  origin,
  secret,
}: AddedMembershipEmailInput): EmailMessage =>
  formatEmail({
    to: email,
    subject: 'You were added to an organization on Atrium',
    paragraphs: [
      `An administrator of ${quotedName(organizationName)} added your account at ${origin} to the organization.`,
      'The organization sees your e-mail address. It sees your name and when you last signed in only after you accept.',
    ],
    action: { label: 'Accept or leave', url: `${origin}/auth/membership?token=${secret}` },
    notes: [
      'Opening the link changes nothing: the page that it opens asks you. It works for 30 days.',
      'If you do not know the organization, leave it. You can also leave at any time in your profile.',
    ],
  });
