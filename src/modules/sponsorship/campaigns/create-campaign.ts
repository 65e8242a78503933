import { fragment } from '../../../platform/database/sql.ts';
import { newId } from '../../../platform/ids.ts';
import { changeRow, type Writer } from '../../audit/record-change.ts';
import { toAuditTerms } from './audit-terms.ts';
import { type Campaign, campaignColumns } from './campaign.ts';

export type CreateCampaignInput = {
  name: string;
  durationMonths: number;
  maxRedemptions?: number | null | undefined;
  expiresAt?: Date | null | undefined;
  includedSeats?: number | null | undefined;
  allowedEmailDomains?: string[] | null | undefined;
  allowedEmails?: string[] | null | undefined;
};

export function createCampaign(
  {
    name,
    durationMonths,
    maxRedemptions = null,
    expiresAt = null,
    includedSeats = null,
    allowedEmailDomains,
    allowedEmails,
  }: CreateCampaignInput,
  writer: Writer,
): Promise<Campaign> {
  const { organizationId } = writer.actor;
  const [domains, emails] = [allowedEmailDomains ?? [], allowedEmails ?? []];
  return changeRow<Campaign>(writer, 'Campaign', (at) => {
    const id = newId(at.getTime());
    const terms = {
      name,
      durationMonths,
      maxRedemptions,
      expiresAt,
      includedSeats,
      allowedEmailDomains: domains,
      allowedEmails: emails,
    };
    return {
      statement: fragment`
        insert into campaigns as c (id, organization_id, name, duration_months, max_redemptions, expires_at, included_seats,
          allowed_email_domains, allowed_emails, created_at, updated_at)
        values (${id}, ${organizationId}, ${name}, ${durationMonths}, ${maxRedemptions}, ${expiresAt}, ${includedSeats}, ${domains}, ${emails}, ${at}, ${at})
        returning ${campaignColumns(at)}`,
      entry: {
        action: 'create-campaign',
        targetType: 'Campaign',
        targetId: id,
        changes: toAuditTerms(terms),
      },
    };
  });
}
