import type { Database } from '../../../platform/database/database.ts';
import type {
  WebhookDisabledReason,
  WebhookEndpointState,
} from '../../../platform/database/generated/client.ts';
import { formatEmail, quotedName } from '../../../platform/mail/format-email.ts';
import type { EmailMessage, Mailer } from '../../../platform/mail/mailer.ts';

export type NoticeDependencies = { database: Database; mail: Mailer };

type Notice = {
  id: string;
  organizationId: string;
  organizationName: string;
  host: string;
  state: WebhookEndpointState;
  reason: WebhookDisabledReason | null;
};

// Another process sends the mails again if this one has not removed the notice by then.
const claimSeconds = 60;

/**
 * Informs the administrators of the organizations by mail of endpoints whose state has changed. A
 * change and its notice are one transaction, so no mail is lost if a process ends in between.
 */
export async function sendNotices({ database: { sql }, mail }: NoticeDependencies): Promise<void> {
  const notices = await sql<Notice>`
    update webhook_notices n set claimed_until = clock_timestamp() + make_interval(secs => ${claimSeconds})
    from webhook_endpoints e, organizations o
    where e.id = n.endpoint_id and o.id = n.organization_id and n.id in (
      select id from webhook_notices
      where claimed_until is null or claimed_until < clock_timestamp() order by at, id limit 20 for update skip locked)
    returning n.id, n.organization_id as "organizationId", o.name as "organizationName", substring(e.url from '^[a-z]+://([^/?#]+)') as host,
      n.state, n.reason`;
  for (const notice of notices) {
    const emails =
      mail.kind === 'none'
        ? []
        : await sql<{ email: string }>`
            select u.email from memberships m join users u on u.id = m.user_id
            where m.organization_id = ${notice.organizationId} and m.role = 'ADMIN' and m.accepted_at is not null order by u.email`;
    for (const { email } of emails) await mail.send(noticeEmail({ to: email, notice }));
    await sql`delete from webhook_notices where id = ${notice.id}`;
  }
}

const subjects: Record<WebhookEndpointState, string> = {
  ACTIVE: 'A webhook works again',
  FAILING: 'A webhook is failing',
  DISABLED: 'A webhook was disabled',
};

function noticeEmail({ to, notice }: { to: string; notice: Notice }): EmailMessage {
  const { host, organizationName, state, reason } = notice;
  return formatEmail({
    to,
    subject: subjects[state],
    paragraphs: [
      `This is about the webhook of ${quotedName(organizationName)} to ${quotedName(host)}.`,
      textOf(state, reason),
    ],
    notes: ['You get this mail because you are an administrator of the organization.'],
  });
}

function textOf(state: WebhookEndpointState, reason: WebhookDisabledReason | null): string {
  if (state === 'ACTIVE') return 'An event was delivered, so the webhook is active again.';
  if (state === 'FAILING')
    return 'No event could be delivered for five minutes. Atrium tries each event ten times in about three days. The deliveries of the endpoint say why the tries fail.';
  const remedy =
    'It gets no events any more. Activate it once the receiver works, and replay the events of the time in between.';
  return reason === 'GONE'
    ? `The receiver answered 410, which says that it wants no more events. ${remedy}`
    : `All tries of an event failed for about three days, and nothing else was delivered. ${remedy}`;
}
