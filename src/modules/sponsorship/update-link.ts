import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Link } from './link.ts';
import { readLink } from './read-links.ts';

type UpdateLink = { linkId: string; name?: string | null | undefined; isActive?: boolean | null | undefined };

/** Absent leaves a field as it is. Without any nothing is written. */
export async function updateLink({ linkId, name, isActive }: UpdateLink, writer: Writer): Promise<Link> {
  const { organizationId } = writer.actor;
  const data = { ...(typeof name === 'string' && { name }), ...(typeof isActive === 'boolean' && { isActive }) };
  if (Object.keys(data).length > 0) {
    await change(writer, async (tx, record) => {
      const { count } = await tx.link.updateMany({ where: { id: linkId, organizationId }, data });
      if (count === 0) throw notFound('Link');
      await record({ action: 'update-link', targetType: 'Link', targetId: linkId, changes: data });
    });
  }
  return readLink({ organizationId, linkId }, writer);
}
