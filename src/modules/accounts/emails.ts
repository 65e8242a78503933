import { letter } from '../../platform/mail/letter.ts';

type Linked = { to: string; origin: string; secret: string };

const linkTo = (origin: string, page: string, secret: string) =>
  `${origin}/auth/${page}?token=${secret}`;
const notAsked =
  'If it was not you who asked for this, there is nothing to do: without the link nothing happens.';

export const verificationEmail = ({ to, origin, secret }: Linked) =>
  letter({
    to,
    subject: 'Confirm your e-mail address',
    paragraphs: [
      `Somebody gave this address for an account at ${origin}. If that was you, please confirm it.`,
    ],
    action: { label: 'Confirm the address', url: linkTo(origin, 'verify', secret) },
    notes: [
      'The link works once, for a day. In another browser than the one that asked for it, it asks you to choose a password.',
      notAsked,
    ],
  });

export const resetEmail = ({ to, origin, secret }: Linked) =>
  letter({
    to,
    subject: 'Choose a new password',
    paragraphs: [`Somebody asked for a new password for your account at ${origin}.`],
    action: { label: 'Choose a new password', url: linkTo(origin, 'reset', secret) },
    notes: ['The link works once, for an hour.', notAsked],
  });

export const accountExistsEmail = ({ to, origin }: Omit<Linked, 'secret'>) =>
  letter({
    to,
    subject: 'You have an account already',
    paragraphs: [
      `Somebody tried to sign up at ${origin} with this address, which has an account already.`,
      'If that was you: sign in as you did before, or choose a new password if you do not know yours any more.',
    ],
    action: { label: 'Sign in', url: `${origin}/auth` },
    notes: ['If it was not you, there is nothing to do: your account has not changed.'],
  });

export const passwordChangedEmail = ({ to, origin }: Omit<Linked, 'secret'>) =>
  letter({
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
}: Omit<Linked, 'secret'> & { subject: string; sentence: string }) =>
  letter({
    to,
    subject,
    paragraphs: [sentence, `This is about your account at ${origin}.`],
    notes: [
      `If it was not you, choose a new password at once at ${origin}/auth/forgot, and tell your administrator.`,
    ],
  });

export const accountDeletedEmail = ({ to, origin }: Omit<Linked, 'secret'>) =>
  letter({
    to,
    subject: 'Your account was deleted',
    paragraphs: [`Your account at ${origin} was deleted, with its sessions and keys.`],
    notes: ['If it was not you, tell the administrator of your organization at once.'],
  });
