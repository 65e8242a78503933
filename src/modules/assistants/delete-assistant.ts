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
    const files = await tx.sql<{ storageKey: string }>`
      select storage_key as "storageKey" from assistant_files
      where assistant_id = ${assistantId} and organization_id = ${organizationId}`;
    const storageKeys = files.map(({ storageKey }) => storageKey);
    tx.enqueue`
      insert into file_removals (id, organization_id, collection, storage_keys, created_at)
      values (${newId(at.getTime())}, ${organizationId}, ${assistantId}, ${storageKeys}, ${at})`;
    tx.enqueue`delete from assistants where id = ${assistantId} and organization_id = ${organizationId}`;
    record({
      action: 'delete-assistant',
      targetType: 'Assistant',
      targetId: assistantId,
      changes: { name, filesRemoved: files.length },
    });
  });
}
