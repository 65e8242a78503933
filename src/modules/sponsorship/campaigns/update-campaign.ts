import { fragment } from '../../../platform/database/sql.ts';
import { changeRow, type Writer } from '../../audit/record-change.ts';
import { toAuditTerms } from './audit-terms.ts';
import {
  type Campaign,
  campaignColumns,
  clearableTerms,
  type TermChanges,
  termAssignments,
} from './campaign.ts';
import { readCampaign } from './read-campaigns.ts';

/**
 * Changes the terms for later redemptions; earlier redemptions keep their own copy. Without any
 * term nothing is written.
 */
export async function updateCampaign(
  { campaignId, terms }: { campaignId: string; terms: TermChanges },
  writer: Writer,
): Promise<Campaign> {
  const { organizationId } = writer.actor;
  const changed = Object.entries(terms).filter(
    ([name, value]) => value !== undefined && (value !== null || clearableTerms.includes(name)),
  );
  if (changed.length === 0) return readCampaign({ organizationId, campaignId }, writer);
  return changeRow<Campaign>(writer, 'Campaign', (at) => ({
    statement: fragment`
      update campaigns c set ${termAssignments(terms)}, updated_at = ${at}
      where id = ${campaignId} and organization_id = ${organizationId}
      returning ${campaignColumns(at)}`,
    entry: {
      action: 'update-campaign',
      targetType: 'Campaign',
      targetId: campaignId,
      changes: toAuditTerms(Object.fromEntries(changed)),
    },
  }));
}
