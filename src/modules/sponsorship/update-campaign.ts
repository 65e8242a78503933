import { fragment } from '../../platform/database/sql.ts';
import { changeRow, type Writer } from '../audit/record-change.ts';
import { toAuditTerms } from './audit-terms.ts';
import { type Campaign, campaignColumns } from './campaign.ts';
import { readCampaign } from './read-campaigns.ts';

/**
 * Absent leaves a term as it is. Null clears a cap, an end or a number of seats, and is as good as
 * absent elsewhere.
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
 * Changed terms hold for later redemptions: what was redeemed keeps its own copy. Without a term
 * nothing is written.
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
  const lasting = { name, durationMonths, isActive, allowedEmailDomains, allowedEmails };
  const changes = { ...given(clearable, [undefined]), ...given(lasting, [undefined, null]) };
  if (Object.keys(changes).length === 0)
    return readCampaign({ organizationId, campaignId }, writer);
  return changeRow<Campaign>(writer, 'Campaign', (at) => ({
    // One text for whichever terms are given, so that it is prepared once.
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

const given = (terms: CampaignTerms, absent: readonly unknown[]) =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => !absent.includes(value)));
