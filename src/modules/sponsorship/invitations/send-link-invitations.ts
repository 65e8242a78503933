import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Language } from '../../../platform/database/generated/client.ts';
import type { Log } from '../../../platform/log.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { createPolling, repeatEvery } from '../../../platform/repeat.ts';
import { linkInvitationEmail } from './link-invitation-email.ts';
import type { LinkInvitationTokens } from './link-invitation-token.ts';

type SendDependencies = {
  database: Database;
  clock: Clock;
  log: Log;
  mail: Mailer;
  linkInvitationTokens: LinkInvitationTokens;
};

/** A mail takes at most a minute, so what is claimed together is sent within five minutes. */
const invitationsAtOnce = 4;
const triesMax = 5;
const sendEveryMs = 10_000;
const sweepEveryMs = 300_000;
const dayMs = 86_400_000;
/** Days for which an invitation is kept after its end, so that addresses are not kept for ever. */
const keptDays = 90;

type ClaimedInvitation = {
  id: string;
  email: string;
  origin: string;
  language: Language;
  expiresAt: string;
  reminderDays: number | null;
  remindedAt: string | null;
  nextMail: 'INVITATION' | 'REMINDER' | null;
  mailDueAt: string | null;
  sponsorName: string;
  durationMonths: number;
};

/**
 * Sends the mails that are due, and returns how many were sent. Each mail is claimed first, so any
 * number of processes can do so at the same time. A reminder is claimed for good: it is sent at most
 * once, and lost if the process is killed just then. An invitation is sent again after five minutes
 * if nobody has recorded that it was sent, then after longer times, up to five times.
 */
export async function sendLinkInvitations(
  { database, clock, log, mail, linkInvitationTokens }: SendDependencies,
  stopping?: AbortSignal,
): Promise<number> {
  let sent = 0;
  while (!stopping?.aborted) {
    const claimed = await claimDue({ at: clock() }, database);
    for (const invitation of claimed) {
      const { id, origin, language, nextMail } = invitation;
      const isReminder = nextMail === null;
      const url = `${origin}/auth?sponsored=${linkInvitationTokens(id)}`;
      try {
        await mail.deliver(linkInvitationEmail({ ...invitation, url, isReminder }, language));
        await recordSent({ invitation, isReminder, at: clock() }, database);
        sent += 1;
      } catch (err) {
        log.warn(
          { err, invitationId: id, isReminder },
          'an invitation to a link could not be sent',
        );
      }
    }
    if (claimed.length < invitationsAtOnce) return sent;
  }
  return sent;
}

/** Claims mails of open invitations whose link and campaign can be redeemed. */
function claimDue({ at }: { at: Date }, database: Database): Promise<ClaimedInvitation[]> {
  // The invitations of all organizations.
  return database.unscoped.sql<ClaimedInvitation>`
    with due as (
      select i.id, i.next_mail = 'REMINDER' as is_reminder, c.duration_months, coalesce(b.display_name, o.name) as sponsor_name
      from link_invitations i
      join links l on l.id = i.link_id
      join campaigns c on c.id = i.campaign_id
      join organizations o on o.id = i.organization_id
      left join sponsor_brandings b on b.organization_id = o.id
      where i.mail_due_at <= ${at} and i.redeemed_at is null and i.revoked_at is null and i.expires_at > ${at}
        and l.is_active and c.is_active and (c.expires_at is null or c.expires_at > ${at})
      order by i.mail_due_at limit ${invitationsAtOnce}::int
      for update of i skip locked)
    update link_invitations i set
      reminded_at = case when due.is_reminder then ${at} else i.reminded_at end,
      mail_tries = i.mail_tries + 1,
      next_mail = case when due.is_reminder or i.mail_tries + 1 >= ${triesMax}::int then null else i.next_mail end,
      mail_due_at = case when due.is_reminder or i.mail_tries + 1 >= ${triesMax}::int then null
        else ${at}::timestamptz + interval '5 minutes' * power(4, i.mail_tries) end
    from due where i.id = due.id
    returning i.id, i.email, i.origin, i.language, i.expires_at as "expiresAt", i.reminder_days as "reminderDays",
      i.reminded_at as "remindedAt", case when due.is_reminder then null else 'INVITATION' end as "nextMail", i.mail_due_at as "mailDueAt",
      due.sponsor_name as "sponsorName", due.duration_months as "durationMonths"`;
}

type SentMail = { invitation: ClaimedInvitation; isReminder: boolean; at: Date };

/** An invitation that was sent is due again for its reminder, unless the person has got one. */
async function recordSent(
  { invitation, isReminder, at }: SentMail,
  database: Database,
): Promise<void> {
  const { id, expiresAt, reminderDays, remindedAt } = invitation;
  if (isReminder) {
    await database.unscoped.sql`
      update link_invitations set mail_count = mail_count + 1 where id = ${id} returning id`;
    return;
  }
  const reminderAt =
    reminderDays === null || remindedAt !== null
      ? null
      : new Date(Date.parse(expiresAt) - reminderDays * dayMs);
  const next = reminderAt !== null && reminderAt > at ? 'REMINDER' : null;
  await database.unscoped.sql`
    update link_invitations set sent_at = ${at}, mail_count = mail_count + 1, mail_tries = 0,
      next_mail = case when redeemed_at is null and revoked_at is null then ${next}::link_invitation_mail end,
      mail_due_at = case when redeemed_at is null and revoked_at is null then ${next === null ? null : reminderAt}::timestamptz end
    where id = ${id} returning id`;
}

/**
 * Deletes invitations that ended 90 days ago. An invitation that is due later than after the longest
 * pause of its tries is due now: the clock was set back since.
 */
export async function sweepLinkInvitations({
  database,
  clock,
}: Pick<SendDependencies, 'database' | 'clock'>): Promise<number> {
  const at = clock();
  const before = new Date(at.getTime() - keptDays * dayMs);
  // The invitations of all organizations.
  await database.unscoped.sql`
    update link_invitations set mail_due_at = ${at}
    where next_mail = 'INVITATION' and mail_due_at > ${at}::timestamptz + interval '5 minutes' * power(4, mail_tries)`;
  const deleted = await database.unscoped.sql<{ id: string }>`
    with old_days as (delete from link_invitation_days where day < ${before}::date)
    delete from link_invitations where expires_at < ${before} returning id`;
  return deleted.length;
}

/**
 * Sends such mails every ten seconds, and deletes old invitations every five minutes, also those of a
 * time when the installation sent mails.
 */
export function scheduleLinkInvitations(dependencies: SendDependencies) {
  const { log, mail } = dependencies;
  const stopping = new AbortController();
  const { signal } = stopping;
  const { wake, poll } = createPolling({ everyMs: sendEveryMs, signal });
  const sending =
    mail.kind === 'none'
      ? undefined
      : poll(
          () => sendLinkInvitations(dependencies, signal),
          (err) => log.warn({ err }, 'invitations to links could not be sent yet'),
        );
  const sweeping = repeatEvery(() => sweepLinkInvitations(dependencies), {
    everyMs: sweepEveryMs,
    failed: (err) => log.warn({ err }, 'old invitations to links could not be deleted yet'),
  });
  return {
    wake,
    async stop() {
      stopping.abort();
      await Promise.all([sending, sweeping.stop()]);
    },
  };
}
