import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import { lockAssistant } from './lock-assistant.ts';
import { requireAssistant } from './require-assistant.ts';

/**
 * Deletes an assistant with its shares and files. The file processor removes the stored files and
 * the passages in the vault afterwards.
 */
export async function deleteAssistant(
  { assistantId, person }: { assistantId: string; person: Person },
  writer: Writer,
): Promise<void> {
  await requireAssistant({ assistantId, person, level: 'OWNER' }, writer);
  const { organizationId } = person;
  await change(writer, async (tx, record, at) => {
    const { name } = await lockAssistant({ assistantId, organizationId }, tx);
    const files = await tx.assistantFile.findMany({
      where: { assistantId, organizationId },
      select: { storageKey: true },
    });
    await tx.fileRemoval.create({
      data: {
        id: newId(at.getTime()),
        organizationId,
        collection: assistantId,
        storageKeys: files.map(({ storageKey }) => storageKey),
        createdAt: at,
      },
      select: { id: true },
    });
    await tx.assistant.deleteMany({ where: { id: assistantId, organizationId } });
    await record({
      action: 'delete-assistant',
      targetType: 'Assistant',
      targetId: assistantId,
      changes: { name, filesRemoved: files.length },
    });
  });
}
