import { letter, quotedName } from '../../platform/mail/letter.ts';
import type { Mail } from '../../platform/mail/mail.ts';

type InvitationLetter = {
  email: string;
  link: string;
  organizationName: string;
  invitedBy: string | null;
  expiresAt: Date;
};

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export const invitationLetter = ({
  email,
  link,
  organizationName,
  invitedBy,
  expiresAt,
}: InvitationLetter): Mail =>
  letter({
    to: email,
    subject: 'You are invited to a workspace on Atrium',
    paragraphs: [
      `${invitedBy === null ? 'An administrator' : quotedName(invitedBy)} invites you to join ${quotedName(organizationName)} on Atrium.`,
    ],
    action: { label: 'See the invitation', url: link },
    notes: [
      `The link works once, until ${day.format(expiresAt)}.`,
      'If you do not know who invites you, there is nothing to do.',
    ],
  });
