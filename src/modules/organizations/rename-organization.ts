import { change, type Writer } from '../audit/record-change.ts';

/** Changes the display name. The slug stays, because URLs and programs use it. */
export async function renameOrganization(
  { name }: { name: string },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const { count } = await tx.organization.updateMany({
      where: { id: organizationId, name: { not: name } },
      data: { name, updatedAt: at },
    });
    if (count === 1)
      await record({
        action: 'rename-organization',
        targetType: 'Organization',
        targetId: organizationId,
        changes: { name },
      });
  });
}
