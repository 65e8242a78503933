import type { Language } from '../../../platform/database/generated/client.ts';
import { formatEmail } from '../../../platform/mail/format-email.ts';
import { emailText } from '../../emails/email-text.ts';

type AccountEmailInput = { to: string; language: Language; origin: string };
type LinkEmailInput = AccountEmailInput & { secret: string };

const linkTo = (origin: string, page: string, secret: string) =>
  `${origin}/auth/${page}?token=${secret}`;
const forgotPage = (origin: string) => `${origin}/auth/forgot`;

export const verificationEmail = ({ to, language, origin, secret }: LinkEmailInput) =>
  formatEmail({
    ...{ to, language },
    subject: emailText(language, 'verificationSubject'),
    paragraphs: [emailText(language, 'verificationLead', { origin })],
    action: {
      label: emailText(language, 'verificationAction'),
      url: linkTo(origin, 'verify', secret),
    },
    notes: [emailText(language, 'verificationNote'), emailText(language, 'ifNotRequested')],
  });

export const resetEmail = ({ to, language, origin, secret }: LinkEmailInput) =>
  formatEmail({
    ...{ to, language },
    subject: emailText(language, 'resetSubject'),
    paragraphs: [emailText(language, 'resetLead', { origin })],
    action: { label: emailText(language, 'resetAction'), url: linkTo(origin, 'reset', secret) },
    notes: [emailText(language, 'resetNote'), emailText(language, 'ifNotRequested')],
  });

export const accountExistsEmail = ({ to, language, origin }: AccountEmailInput) =>
  formatEmail({
    ...{ to, language },
    subject: emailText(language, 'accountExistsSubject'),
    paragraphs: [
      emailText(language, 'accountExistsLead', { origin }),
      emailText(language, 'accountExistsHint'),
    ],
    action: { label: emailText(language, 'accountExistsAction'), url: `${origin}/auth` },
    notes: [emailText(language, 'accountExistsNote')],
  });

export const passwordChangedEmail = ({ to, language, origin }: AccountEmailInput) =>
  formatEmail({
    ...{ to, language },
    subject: emailText(language, 'passwordChangedSubject'),
    paragraphs: [emailText(language, 'passwordChangedLead', { origin })],
    notes: [emailText(language, 'passwordChangedNote', { forgotUrl: forgotPage(origin) })],
  });

export const securityNoticeEmail = ({
  to,
  language,
  origin,
  subject,
  sentence,
}: AccountEmailInput & { subject: string; sentence: string }) =>
  formatEmail({
    ...{ to, language, subject },
    paragraphs: [sentence, emailText(language, 'aboutAccount', { origin })],
    notes: [emailText(language, 'ifNotYou', { forgotUrl: forgotPage(origin) })],
  });

export const accountDeletedEmail = ({ to, language, origin }: AccountEmailInput) =>
  formatEmail({
    ...{ to, language },
    subject: emailText(language, 'accountDeletedSubject'),
    paragraphs: [emailText(language, 'accountDeletedLead', { origin })],
    notes: [emailText(language, 'accountDeletedNote')],
  });
