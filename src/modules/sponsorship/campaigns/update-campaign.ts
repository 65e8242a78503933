import { fragment } from '../../../platform/database/sql.ts';
import { changeRow, type Writer } from '../../audit/record-change.ts';
import { toAuditTerms } from './audit-terms.ts';
import { type Campaign, campaignColumns } from './campaign.ts';
import { readCampaign } from './read-campaigns.ts';

/**
 * Undefined leaves a term as it is. Null clears `maxRedemptions`, `expiresAt` and `includedSeats`;
 * for the other terms it means the same as undefined.
 */
export type CampaignTerms = {
  name?: string | null | undefined;
  durationMonths?: number | null | undefined;
  maxRedemptions?: number | null | undefined;
  expiresAt?: Date | null | undefined;
  isActive?: boolean | null | undefined;
  includedSeats?: number | null | undefined;
  allowedEmailDomains?: string[] | null | undefined;
  allowedEmails?: string[] | null | undefined;
};

/**
 * Changes the terms for later redemptions; earlier redemptions keep their own copy. Without any
 * term nothing is written.
 */
export async function updateCampaign(
  { campaignId, terms }: { campaignId: string; terms: CampaignTerms },
  writer: Writer,
): Promise<Campaign> {
  const { organizationId } = writer.actor;
  const {
    maxRedemptions,
    expiresAt,
    includedSeats,
    name,
    durationMonths,
    isActive,
    allowedEmailDomains,
    allowedEmails,
  } = terms;
  const clearable = { maxRedemptions, expiresAt, includedSeats };
  const required = { name, durationMonths, isActive, allowedEmailDomains, allowedEmails };
  const changes = {
    ...omitValues(clearable, [undefined]),
    ...omitValues(required, [undefined, null]),
  };
  if (Object.keys(changes).length === 0)
    return readCampaign({ organizationId, campaignId }, writer);
  return changeRow<Campaign>(writer, 'Campaign', (at) => ({
    // The SQL text is the same for every combination of terms, so that one prepared statement
    // serves all of them.
    statement: fragment`
      update campaigns c set
        name = coalesce(${name ?? null}, name),
        duration_months = coalesce(${durationMonths ?? null}, duration_months),
        is_active = coalesce(${isActive ?? null}, is_active),
        allowed_email_domains = coalesce(${allowedEmailDomains ?? null}::text[], allowed_email_domains),
        allowed_emails = coalesce(${allowedEmails ?? null}::text[], allowed_emails),
        max_redemptions = case when ${maxRedemptions === undefined} then max_redemptions else ${maxRedemptions ?? null}::int end,
        expires_at = case when ${expiresAt === undefined} then expires_at else ${expiresAt ?? null}::timestamptz end,
        included_seats = case when ${includedSeats === undefined} then included_seats else ${includedSeats ?? null}::int end,
        updated_at = ${at}
      where id = ${campaignId} and organization_id = ${organizationId}
      returning ${campaignColumns(at)}`,
    entry: {
      action: 'update-campaign',
      targetType: 'Campaign',
      targetId: campaignId,
      changes: toAuditTerms(changes),
    },
  }));
}

const omitValues = (terms: CampaignTerms, omitted: readonly unknown[]) =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => !omitted.includes(value)));
