import type { Prisma } from '../../platform/database/generated/client.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Link } from './link.ts';
import { hashLinkPassword } from './link-password.ts';
import { newLinkToken } from './link-token.ts';
import { readCampaign } from './read-campaigns.ts';
import { readLink } from './read-links.ts';

type CreateLink = { campaignId: string; name?: string | null | undefined; password?: string | null | undefined };
type Owner = { organizationId: string; campaignId: string };

/** A link whose name nobody chose is "Link 1", "Link 2" … within its campaign. */
export async function createLink({ campaignId, name, password }: CreateLink, writer: Writer): Promise<Link> {
  const owner = { organizationId: writer.actor.organizationId, campaignId };
  const passwordHash = await hashFor(owner, password ?? null, writer);
  const linkId = await change(writer, async (tx, record, at) => {
    const chosen = name ?? (await nextName(owner, tx));
    if (name) await requireCampaign(owner, tx);
    const data = { ...owner, id: newId(at.getTime()), name: chosen, token: newLinkToken(), passwordHash, createdAt: at };
    const { id } = await tx.link.create({ data, select: { id: true } });
    await record({ action: 'create-link', targetType: 'Link', targetId: id, changes: { campaignId, name: chosen, hasPassword: passwordHash !== null } });
    return id;
  });
  return readLink({ organizationId: owner.organizationId, linkId }, writer);
}

// A hash takes a tenth of a second, so it is made before the transaction, and for nobody else's campaign.
async function hashFor(owner: Owner, password: string | null, writer: Writer): Promise<string | null> {
  if (password === null) return null;
  await readCampaign(owner, writer);
  return hashLinkPassword(password);
}

async function nextName({ organizationId, campaignId }: Owner, tx: Prisma.TransactionClient): Promise<string> {
  const [taken] = await tx.$queryRaw<{ number: number }[]>`
    update campaigns set next_link_number = next_link_number + 1
    where id = ${campaignId} and organization_id = ${organizationId} returning next_link_number - 1 as number`;
  if (!taken) throw notFound('Campaign');
  return `Link ${taken.number}`;
}

async function requireCampaign({ organizationId, campaignId }: Owner, tx: Prisma.TransactionClient): Promise<void> {
  const campaign = await tx.campaign.findUnique({ where: { id_organizationId: { id: campaignId, organizationId } }, select: { id: true } });
  if (!campaign) throw notFound('Campaign');
}
