import { fragment } from '../../../platform/database/sql.ts';
import { newId } from '../../../platform/ids.ts';
import { changeRow, type Writer } from '../../audit/record-change.ts';
import { toAuditTerms } from './audit-terms.ts';
import {
  type Campaign,
  type CreateCampaignInput,
  campaignColumns,
  termColumns,
  termValues,
  withDefaults,
} from './campaign.ts';

export function createCampaign(input: CreateCampaignInput, writer: Writer): Promise<Campaign> {
  const { organizationId } = writer.actor;
  const terms = withDefaults(input);
  return changeRow<Campaign>(writer, 'Campaign', (at) => {
    const id = newId(at.getTime());
    return {
      statement: fragment`
        insert into campaigns as c (id, organization_id, ${termColumns}, created_at, updated_at)
        values (${id}, ${organizationId}, ${termValues(terms)}, ${at}, ${at})
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
