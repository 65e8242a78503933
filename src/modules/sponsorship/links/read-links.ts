import type { Database } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Link, linkColumns } from './link.ts';

type ReadLinkDependencies = { database: Database };

/**
 * Reads links in the order of the ids; undefined for one that does not exist or belongs to another
 * organization.
 */
export async function readLinks(
  { organizationId, linkIds }: { organizationId: string; linkIds: readonly string[] },
  { database }: ReadLinkDependencies,
): Promise<(Link | undefined)[]> {
  const rows =
    await database.sql<Link>`select ${linkColumns} from links l where l.id = any(${linkIds}) and l.organization_id = ${organizationId}`;
  const links = new Map(rows.map((link) => [link.id, link]));
  return linkIds.map((id) => links.get(id));
}

/** Reads a link of this organization; throws NOT_FOUND for one of another organization. */
export async function readLink(
  { organizationId, linkId }: { organizationId: string; linkId: string },
  dependencies: ReadLinkDependencies,
): Promise<Link> {
  const [link] = await readLinks({ organizationId, linkIds: [linkId] }, dependencies);
  if (!link) throw notFound('Link');
  return link;
}
