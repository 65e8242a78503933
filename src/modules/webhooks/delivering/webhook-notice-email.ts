import type {
  Language,
  WebhookDisabledReason,
  WebhookEndpointState,
} from '../../../platform/database/generated/client.ts';
import { formatEmail, quotedName } from '../../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../../platform/mail/mailer.ts';
import { emailText } from '../../emails/email-text.ts';

/** A change of the state of an endpoint. */
export type WebhookNotice = {
  organizationName: string;
  host: string;
  state: WebhookEndpointState;
  reason: WebhookDisabledReason | null;
};

const subjects = {
  ACTIVE: 'webhookActiveSubject',
  FAILING: 'webhookFailingSubject',
  DISABLED: 'webhookDisabledSubject',
} as const satisfies Record<WebhookEndpointState, string>;

type WebhookNoticeEmailInput = { to: string; language: Language; notice: WebhookNotice };

export const webhookNoticeEmail = ({
  to,
  language,
  notice: { host, organizationName, state, reason },
}: WebhookNoticeEmailInput): EmailMessage =>
  formatEmail({
    to,
    language,
    subject: emailText(language, subjects[state]),
    paragraphs: [
      emailText(language, 'webhookLead', {
        organizationName: quotedName(organizationName, language),
        host: quotedName(host, language),
      }),
      emailText(language, sentenceOf(state, reason)),
    ],
    notes: [emailText(language, 'becauseAdministrator')],
  });

function sentenceOf(state: WebhookEndpointState, reason: WebhookDisabledReason | null) {
  if (state === 'ACTIVE') return 'webhookActive';
  if (state === 'FAILING') return 'webhookFailing';
  return reason === 'GONE' ? 'webhookGone' : 'webhookUnreachable';
}
