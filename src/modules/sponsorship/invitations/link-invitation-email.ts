import { formatEmail, quotedName } from '../../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../../platform/mail/mailer.ts';
import type { LinkInvitationLanguage } from './link-invitation.ts';

type LinkInvitationEmailInput = {
  email: string;
  url: string;
  sponsorName: string;
  durationMonths: number;
  expiresAt: string;
  isReminder: boolean;
};

const dateFormats = {
  EN: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
  DE: new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' }),
};

type Texts = {
  subject: string;
  reminderSubject: string;
  offer: (sponsor: string, months: number) => string;
  reminder: (until: string) => string;
  action: string;
  once: (until: string) => string;
  ignore: string;
};

const texts: Record<LinkInvitationLanguage, Texts> = {
  EN: {
    subject: 'You are invited to a workspace on Atrium',
    reminderSubject: 'Your invitation to Atrium ends soon',
    offer: (sponsor, months) =>
      `${sponsor} pays for a workspace on Atrium for you, for ${months === 1 ? 'one month' : `${months} months`}.`,
    reminder: (until) => `You can still accept the invitation, until ${until} (UTC).`,
    action: 'See the offer',
    once: (until) =>
      `The invitation is for this address only and works once, until ${until} (UTC).`,
    ignore: 'If you do not know who invites you, there is nothing to do.',
  },
  DE: {
    subject: 'Einladung zu einem Arbeitsbereich auf Atrium',
    reminderSubject: 'Ihre Einladung zu Atrium endet bald',
    offer: (sponsor, months) =>
      `${sponsor} bezahlt für Sie einen Arbeitsbereich auf Atrium, für ${months === 1 ? 'einen Monat' : `${months} Monate`}.`,
    reminder: (until) => `Sie können die Einladung noch annehmen, bis ${until} (UTC).`,
    action: 'Angebot ansehen',
    once: (until) => `Die Einladung gilt nur für diese Adresse und einmal, bis ${until} (UTC).`,
    ignore: 'Wenn Sie nicht wissen, wer Sie einlädt, müssen Sie nichts tun.',
  },
};

/** The mail with an invitation, and the one that reminds of it. */
export function linkInvitationEmail(
  { email, url, sponsorName, durationMonths, expiresAt, isReminder }: LinkInvitationEmailInput,
  language: LinkInvitationLanguage,
): EmailMessage {
  const { subject, reminderSubject, offer, reminder, action, once, ignore } = texts[language];
  const until = dateFormats[language].format(new Date(expiresAt));
  return formatEmail({
    to: email,
    subject: isReminder ? reminderSubject : subject,
    paragraphs: [
      offer(quotedName(sponsorName), durationMonths),
      ...(isReminder ? [reminder(until)] : []),
    ],
    action: { label: action, url },
    notes: [once(until), ignore],
  });
}
