import { letter } from '../../platform/mail/letter.ts';
import type { Mail } from '../../platform/mail/mail.ts';

type InvitationLetter = { email: string; link: string; organizationName: string; invitedBy: string | null; expiresAt: Date };

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export const invitationLetter = ({ email, link, organizationName, invitedBy, expiresAt }: InvitationLetter): Mail =>
  letter({
    to: email,
    subject: `You are invited to ${organizationName}`,
    paragraphs: [`${invitedBy ?? 'An administrator'} invites you to join ${organizationName} on Atrium.`],
    action: { label: `Join ${organizationName}`, url: link },
    notes: [`The link works once, until ${day.format(expiresAt)}.`, 'If you do not know who invites you, there is nothing to do.'],
  });
