import { fragment } from '../../../platform/database/sql.ts';
import { newId } from '../../../platform/ids.ts';
import { changeRow, type Writer } from '../../audit/record-change.ts';
import { readCampaign } from '../campaigns/read-campaigns.ts';
import { type Link, linkColumns } from './link.ts';
import { hashLinkPassword } from './link-password.ts';
import { newLinkToken } from './link-token.ts';

type CreateLinkInput = {
  campaignId: string;
  name?: string | null | undefined;
  password?: string | null | undefined;
};
type CampaignReference = { organizationId: string; campaignId: string };

/** Creates a link. Without a name it becomes "Link 1", "Link 2" and so on within its campaign. */
export async function createLink(
  { campaignId, name, password }: CreateLinkInput,
  writer: Writer,
): Promise<Link> {
  const campaign = { organizationId: writer.actor.organizationId, campaignId };
  const passwordHash = await hashPasswordFor(campaign, password ?? null, writer);
  return changeRow<Link>(writer, 'Campaign', (at) => {
    const id = newId(at.getTime());
    return {
      before: fragment`campaign as (${name ? selectCampaign(campaign, name) : takeNextLinkName(campaign)}),`,
      statement: fragment`
        insert into links as l (id, campaign_id, organization_id, name, token, password_hash, created_at)
        select ${id}, id, ${campaign.organizationId}, link_name, ${newLinkToken()}, ${passwordHash}, ${at} from campaign
        returning ${linkColumns}`,
      entry: {
        ...{ action: 'create-link', targetType: 'Link', targetId: id },
        changes: fragment`jsonb_build_object('campaignId', "campaignId", 'name', name, 'hasPassword', "hasPassword")`,
      },
    };
  });
}

// Hashing takes 0.1 s, so it happens before the statement, and only after a check that the campaign
// belongs to the caller's organization.
async function hashPasswordFor(
  campaign: CampaignReference,
  password: string | null,
  writer: Writer,
): Promise<string | null> {
  if (password === null) return null;
  await readCampaign(campaign, writer);
  return hashLinkPassword(password);
}

const selectCampaign = ({ organizationId, campaignId }: CampaignReference, name: string) =>
  fragment`select id, ${name} as link_name from campaigns where id = ${campaignId} and organization_id = ${organizationId}`;

const takeNextLinkName = ({ organizationId, campaignId }: CampaignReference) => fragment`
  update campaigns set next_link_number = next_link_number + 1
  where id = ${campaignId} and organization_id = ${organizationId} returning id, 'Link ' || (next_link_number - 1) as link_name`;
