import { formatEmail, quotedName } from '../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../platform/mail/mailer.ts';

type InvitationEmailInput = {
  email: string;
  link: string;
  organizationName: string;
  invitedBy: string | null;
  expiresAt: string;
};

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export const invitationEmail = ({
  email,
  link,
  organizationName,
  invitedBy,
  expiresAt,
}: InvitationEmailInput): EmailMessage =>
  formatEmail({
    to: email,
    subject: 'You are invited to a workspace on Atrium',
    paragraphs: [
      `${invitedBy === null ? 'An administrator' : quotedName(invitedBy)} invites you to join ${quotedName(organizationName)} on Atrium.`,
    ],
    action: { label: 'See the invitation', url: link },
    notes: [
      `The link works once, until ${dateFormat.format(new Date(expiresAt))}.`,
      'If you do not know who invites you, there is nothing to do.',
    ],
  });
