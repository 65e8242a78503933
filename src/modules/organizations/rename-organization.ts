import { change, type Writer } from '../audit/record-change.ts';

/** Changes the display name. The slug stays, because URLs and programs use it. */
export async function renameOrganization(
  { name }: { name: string },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const renamed = await tx.sql`
      update organizations set name = ${name}, updated_at = ${at}
      where id = ${organizationId} and name <> ${name} returning id`;
    if (renamed.length === 1)
      record({
        action: 'rename-organization',
        targetType: 'Organization',
        targetId: organizationId,
        changes: { name },
      });
  });
}
