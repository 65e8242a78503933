import type { Database } from '../../../platform/database/database.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { administratorsOf } from '../../emails/administrators-of.ts';
import { type WebhookNotice, webhookNoticeEmail } from './webhook-notice-email.ts';

export type NoticeDependencies = { database: Database; mail: Mailer };

type Notice = WebhookNotice & { id: string; organizationId: string };

// Another process sends the mails again if this one has not removed the notice by then.
export const claimSeconds = 60;

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
    const recipients =
      mail.kind === 'none' ? [] : await administratorsOf(notice.organizationId, { sql });
    for (const recipient of recipients)
      await mail.send(webhookNoticeEmail({ ...recipient, notice }));
    await sql`delete from webhook_notices where id = ${notice.id}`;
  }
}
