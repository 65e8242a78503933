import { fragment } from '../../../platform/database/sql.ts';
import { changeRow, type Writer } from '../../audit/record-change.ts';
import { type Link, linkColumns } from './link.ts';
import { readLink } from './read-links.ts';

type UpdateLinkInput = {
  linkId: string;
  name?: string | null | undefined;
  isActive?: boolean | null | undefined;
};

/** Changes a link. An undefined field stays as it is; without any field nothing is written. */
export async function updateLink(
  { linkId, name, isActive }: UpdateLinkInput,
  writer: Writer,
): Promise<Link> {
  const { organizationId } = writer.actor;
  const changes = {
    ...(typeof name === 'string' && { name }),
    ...(typeof isActive === 'boolean' && { isActive }),
  };
  if (Object.keys(changes).length === 0) return readLink({ organizationId, linkId }, writer);
  return changeRow<Link>(writer, 'Link', () => ({
    statement: fragment`
      update links l set name = coalesce(${name ?? null}, name), is_active = coalesce(${isActive ?? null}, is_active)
      where id = ${linkId} and organization_id = ${organizationId}
      returning ${linkColumns}`,
    entry: { action: 'update-link', targetType: 'Link', targetId: linkId, changes },
  }));
}
