import { fragment } from '../../platform/database/sql.ts';
import { newId } from '../../platform/ids.ts';
import { changeRow, type Writer } from '../audit/record-change.ts';
import { type Link, linkColumns } from './link.ts';
import { hashLinkPassword } from './link-password.ts';
import { newLinkToken } from './link-token.ts';
import { readCampaign } from './read-campaigns.ts';

type CreateLink = {
  campaignId: string;
  name?: string | null | undefined;
  password?: string | null | undefined;
};
type Owner = { organizationId: string; campaignId: string };

/** A link whose name nobody chose is "Link 1", "Link 2" … within its campaign. */
export async function createLink(
  { campaignId, name, password }: CreateLink,
  writer: Writer,
): Promise<Link> {
  const owner = { organizationId: writer.actor.organizationId, campaignId };
  const passwordHash = await hashFor(owner, password ?? null, writer);
  return changeRow<Link>(writer, 'Campaign', (at) => {
    const id = newId(at.getTime());
    return {
      before: fragment`campaign as (${name ? named(owner, name) : numbered(owner)}),`,
      statement: fragment`
        insert into links as l (id, campaign_id, organization_id, name, token, password_hash, created_at)
        select ${id}, id, ${owner.organizationId}, link_name, ${newLinkToken()}, ${passwordHash}, ${at} from campaign
        returning ${linkColumns}`,
      entry: {
        ...{ action: 'create-link', targetType: 'Link', targetId: id },
        changes: fragment`jsonb_build_object('campaignId', "campaignId", 'name', name, 'hasPassword', "hasPassword")`,
      },
    };
  });
}

// A hash takes a tenth of a second, so it is made before the statement, and for nobody else's
// campaign.
async function hashFor(
  owner: Owner,
  password: string | null,
  writer: Writer,
): Promise<string | null> {
  if (password === null) return null;
  await readCampaign(owner, writer);
  return hashLinkPassword(password);
}

const named = ({ organizationId, campaignId }: Owner, name: string) =>
  fragment`select id, ${name} as link_name from campaigns where id = ${campaignId} and organization_id = ${organizationId}`;

const numbered = ({ organizationId, campaignId }: Owner) => fragment`
  update campaigns set next_link_number = next_link_number + 1
  where id = ${campaignId} and organization_id = ${organizationId} returning id, 'Link ' || (next_link_number - 1) as link_name`;
