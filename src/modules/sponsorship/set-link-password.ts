import { fragment } from '../../platform/database/sql.ts';
import { changeRow, type Writer } from '../audit/record-change.ts';
import { hashLinkPassword } from './link-password.ts';
import { readLink } from './read-links.ts';

/** Sets a link's password, or takes it away with null. */
export async function setLinkPassword(
  { linkId, password }: { linkId: string; password: string | null },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  // A hash takes a tenth of a second: none is made for somebody else's link.
  await readLink({ organizationId, linkId }, writer);
  const passwordHash = password === null ? null : await hashLinkPassword(password);
  await changeRow(writer, 'Link', () => ({
    statement: fragment`update links set password_hash = ${passwordHash} where id = ${linkId} and organization_id = ${organizationId} returning id`,
    entry: {
      action: 'set-link-password',
      targetType: 'Link',
      targetId: linkId,
      changes: { hasPassword: passwordHash !== null },
    },
  }));
}
