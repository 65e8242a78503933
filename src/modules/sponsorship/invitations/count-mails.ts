import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { rateLimited } from '../../../platform/errors.ts';

const mailsPerDayMax = 2_000;

/**
 * Counts mails of invitations that an organization sends on a day (UTC). Its row is locked until
 * the transaction ends, so invitations of an organization are created one after the other.
 */
export async function countMails(
  { organizationId, mails, at }: { organizationId: string; mails: number; at: Date },
  { sql }: Transaction,
): Promise<void> {
  const day = at.toISOString().slice(0, 10);
  const [counted] = await sql<{ mails: number }>`
    insert into link_invitation_days (organization_id, day, mails) values (${organizationId}, ${day}::date, ${mails})
    on conflict (organization_id, day) do update set mails = link_invitation_days.mails + excluded.mails
    returning mails`;
  if ((counted?.mails ?? 0) <= mailsPerDayMax) return;
  const midnight = Date.parse(`${day}T00:00:00.000Z`) + 86_400_000;
  throw rateLimited(
    `An organization can send ${mailsPerDayMax} mails of invitations a day (UTC); try again tomorrow, or invite fewer people`,
    Math.max(1, Math.ceil((midnight - at.getTime()) / 1_000)),
    'TOO_MANY_INVITATIONS',
  );
}
