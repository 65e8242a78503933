import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type Link, linkColumns } from './link.ts';

type Parts = { database: Database };

/** These links of this organization, in the order of the ids; undefined for every other one. */
export async function readLinks(
  { organizationId, linkIds }: { organizationId: string; linkIds: readonly string[] },
  { database }: Parts,
): Promise<(Link | undefined)[]> {
  const rows =
    await database.sql<Link>`select ${linkColumns} from links l where l.id = any(${linkIds}) and l.organization_id = ${organizationId}`;
  const links = new Map(rows.map((link) => [link.id, link]));
  return linkIds.map((id) => links.get(id));
}

/** A link of this organization. Every other one is not found. */
export async function readLink(
  { organizationId, linkId }: { organizationId: string; linkId: string },
  parts: Parts,
): Promise<Link> {
  const [link] = await readLinks({ organizationId, linkIds: [linkId] }, parts);
  if (!link) throw notFound('Link');
  return link;
}
