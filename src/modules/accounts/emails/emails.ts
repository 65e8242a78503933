import { formatEmail } from '../../../platform/mail/format-email.ts';

type LinkEmailInput = { to: string; origin: string; secret: string };

const linkTo = (origin: string, page: string, secret: string) =>
  `${origin}/auth/${page}?token=${secret}`;
const notRequestedNote =
  'If you did not request this, you can ignore this mail. Nothing changes unless the link is opened.';

export const verificationEmail = ({ to, origin, secret }: LinkEmailInput) =>
  formatEmail({
    to,
    subject: 'Confirm your e-mail address',
    paragraphs: [
      `Somebody used this address to create an account at ${origin}. If that was you, please confirm the address.`,
    ],
    action: { label: 'Confirm the address', url: linkTo(origin, 'verify', secret) },
    notes: [
      'The link works once and expires after a day. If you open it in a browser other than the one in which you signed up, you choose a new password there.',
      notRequestedNote,
    ],
  });

export const resetEmail = ({ to, origin, secret }: LinkEmailInput) =>
  formatEmail({
    to,
    subject: 'Choose a new password',
    paragraphs: [`Somebody requested a new password for your account at ${origin}.`],
    action: { label: 'Choose a new password', url: linkTo(origin, 'reset', secret) },
    notes: ['The link works once and expires after an hour.', notRequestedNote],
  });

export const accountExistsEmail = ({ to, origin }: Omit<LinkEmailInput, 'secret'>) =>
  formatEmail({
    to,
    subject: 'You already have an account',
    paragraphs: [
      `Somebody tried to sign up at ${origin} with this address, which already has an account.`,
      'If that was you, sign in as before, or choose a new password if you have forgotten yours.',
    ],
    action: { label: 'Sign in', url: `${origin}/auth` },
    notes: ['If it was not you, you can ignore this mail. Your account has not changed.'],
  });

export const passwordChangedEmail = ({ to, origin }: Omit<LinkEmailInput, 'secret'>) =>
  formatEmail({
    to,
    subject: 'Your password was changed',
    paragraphs: [`The password of your account at ${origin} was changed.`],
    notes: [
      `If it was not you, choose a new one at once at ${origin}/auth/forgot, and tell your administrator.`,
    ],
  });

export const securityNoticeEmail = ({
  to,
  origin,
  subject,
  sentence,
}: Omit<LinkEmailInput, 'secret'> & { subject: string; sentence: string }) =>
  formatEmail({
    to,
    subject,
    paragraphs: [sentence, `This is about your account at ${origin}.`],
    notes: [
      `If it was not you, choose a new password at once at ${origin}/auth/forgot, and tell your administrator.`,
    ],
  });

export const accountDeletedEmail = ({ to, origin }: Omit<LinkEmailInput, 'secret'>) =>
  formatEmail({
    to,
    subject: 'Your account was deleted',
    paragraphs: [`Your account at ${origin} was deleted, with its sessions and keys.`],
    notes: ['If it was not you, tell the administrator of your organization at once.'],
  });
