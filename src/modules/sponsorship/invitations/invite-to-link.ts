import type { Language } from '../../../platform/database/generated/client.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inputError, notFound } from '../../../platform/errors.ts';
import { hashText } from '../../../platform/hash.ts';
import { newId } from '../../../platform/ids.ts';
import { requireMail } from '../../../platform/mail/mail.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { change, type Writer } from '../../audit/record-change.ts';
import { isEmailAllowed } from '../campaigns/allow-list.ts';
import { countMails } from './count-mails.ts';
import { mailsPerAddressMax } from './link-invitation.ts';
import type { LinkInvitationTokens } from './link-invitation-token.ts';

type InviteToLinkInput = {
  linkId: string;
  emails: readonly string[];
  days: number;
  /** How many days before the end the reminder is sent; null: no reminder is sent. */
  reminderDays: number | null;
  language: Language;
  /** The public address of Atrium, for the mails. */
  origin: string;
};

export const skipReasons = [
  'ALREADY_INVITED',
  'ALREADY_REDEEMED',
  'NOT_ALLOWED',
  'MAILED_OFTEN',
] as const;
export type SkippedAddress = { email: string; reason: (typeof skipReasons)[number] };
export type InvitedToLink = { linkId: string; invited: number; skipped: SkippedAddress[] };

type InviteToLinkDependencies = Writer & {
  mail: Pick<Mailer, 'kind'>;
  linkInvitationTokens: LinkInvitationTokens;
};

const dayMs = 86_400_000;

/**
 * Invites addresses to redeem a link, each once. Their mails are sent in the background. An
 * invitation that was revoked or has expired is renewed with another token.
 */
export async function inviteToLink(
  { linkId, emails, days, reminderDays, language, origin }: InviteToLinkInput,
  { mail, linkInvitationTokens, ...writer }: InviteToLinkDependencies,
): Promise<InvitedToLink> {
  requireMail(mail);
  if (reminderDays !== null && reminderDays >= days)
    throw inputError(
      'reminderDays',
      'OUT_OF_RANGE',
      `reminderDays must be less than days (${days}), because the reminder comes after the invitation`,
      'REMINDER_TOO_LATE',
    );
  const { organizationId } = writer.actor;
  const distinct = [...new Set(emails)];
  return change(writer, async (tx, record, at) => {
    const link = await requireLink({ organizationId, linkId }, tx);
    const refused = await findRefused({ ...link, organizationId, emails: distinct, at }, tx);
    const candidates = distinct.filter(
      (email) => isEmailAllowed(link, email) && !refused.has(email),
    );
    const invitations = candidates.map((email) => {
      const id = newId(at.getTime());
      return { id, email, hash: Buffer.from(hashText(linkInvitationTokens(id))).toString('hex') };
    });
    const invited = await tx.sql<{ email: string }>`
      insert into link_invitations as i (id, link_id, campaign_id, organization_id, email, token_hash, origin, language,
        created_at, expires_at, reminder_days, next_mail, mail_due_at)
      select item.id, ${linkId}, ${link.campaignId}, ${organizationId}, item.email, decode(item.hash, 'hex'), ${origin},
        ${language}::language, ${at}, ${new Date(at.getTime() + days * dayMs)}, ${reminderDays}, 'INVITATION', ${at}
      from json_to_recordset(${JSON.stringify(invitations)}::json) as item (id text, email text, hash text)
      order by item.email
      on conflict (campaign_id, email) do update set
        id = excluded.id, link_id = excluded.link_id, token_hash = excluded.token_hash, origin = excluded.origin,
        language = excluded.language, created_at = excluded.created_at, expires_at = excluded.expires_at,
        reminder_days = excluded.reminder_days, next_mail = excluded.next_mail, mail_due_at = excluded.mail_due_at,
        mail_tries = 0, sent_at = null, reminded_at = null, opened_at = null, revoked_at = null
      where i.redeemed_at is null and (i.revoked_at is not null or i.expires_at <= ${at})
      returning i.email`;
    await countMails({ organizationId, mails: invited.length, at }, tx);
    if (invited.length > 0)
      record({
        action: 'invite-to-link',
        targetType: 'Link',
        targetId: linkId,
        changes: { count: invited.length, days, reminderDays },
      });
    const isInvited = new Set(invited.map(({ email }) => email));
    const skipped = distinct.flatMap((email): SkippedAddress[] => {
      if (isInvited.has(email)) return [];
      if (!isEmailAllowed(link, email)) return [{ email, reason: 'NOT_ALLOWED' }];
      return [{ email, reason: refused.get(email) ?? 'ALREADY_INVITED' }];
    });
    return { linkId, invited: invited.length, skipped };
  });
}

type InvitedLink = { campaignId: string; allowedEmailDomains: string[]; allowedEmails: string[] };

async function requireLink(
  { organizationId, linkId }: { organizationId: string; linkId: string },
  { sql }: Transaction,
): Promise<InvitedLink> {
  const [link] = await sql<InvitedLink>`
    select c.id as "campaignId", c.allowed_email_domains as "allowedEmailDomains", c.allowed_emails as "allowedEmails"
    from links l join campaigns c on c.id = l.campaign_id
    where l.id = ${linkId} and l.organization_id = ${organizationId} for key share of l`;
  if (!link) throw notFound('Link');
  return link;
}

type RefusedInput = { organizationId: string; campaignId: string; emails: string[]; at: Date };

/** Addresses that have redeemed the campaign, and those that the organization has mailed often. */
async function findRefused(
  { organizationId, campaignId, emails, at }: RefusedInput,
  { sql }: Transaction,
): Promise<Map<string, SkippedAddress['reason']>> {
  const rows = await sql<{ email: string; isRedeemed: boolean }>`
    select email, bool_or("isRedeemed") as "isRedeemed" from (
      select i.email, true as "isRedeemed" from link_invitations i
      where i.campaign_id = ${campaignId} and i.email = any(${emails}) and i.redeemed_at is not null
      union all
      select u.email, true from users u join redemptions r on r.user_id = u.id
      where u.email = any(${emails}) and r.campaign_id = ${campaignId} and r.organization_id = ${organizationId}
      union all
      select r.user_email, true from redemptions r
      where r.campaign_id = ${campaignId} and r.organization_id = ${organizationId} and r.user_email = any(${emails})
      union all
      select i.email, false from link_invitations i
      where i.organization_id = ${organizationId} and i.email = any(${emails})
      group by i.email
      having sum(i.mail_count) filter (where i.sent_at > ${new Date(at.getTime() - dayMs)}) >= ${mailsPerAddressMax}::int
        or max(i.mail_count) filter (where i.campaign_id = ${campaignId}) >= ${mailsPerAddressMax}::int) refused
    where email is not null group by email`;
  return new Map(
    rows.map(({ email, isRedeemed }) => [email, isRedeemed ? 'ALREADY_REDEEMED' : 'MAILED_OFTEN']),
  );
}
