import { fragment } from '../../../platform/database/sql.ts';
import { changeRow, type Writer } from '../../audit/record-change.ts';
import { hashLinkPassword } from './link-password.ts';
import { readLink } from './read-links.ts';

/** Sets the password of a link; null removes it. */
export async function setLinkPassword(
  { linkId, password }: { linkId: string; password: string | null },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  // Hashing takes 0.1 s, so a link of another organization is refused before it.
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
