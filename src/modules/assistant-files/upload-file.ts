import type { Upload } from '../../graph/upload.ts';
import { committedResult } from '../../platform/database/transaction.ts';
import type { Person } from '../assistants/access.ts';
import { lockAssistant } from '../assistants/lock-assistant.ts';
import { requireAssistant } from '../assistants/require-assistant.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { AssistantFile } from './assistant-file.ts';
import type { Files } from './files.ts';
import { receiveFile } from './receive-file.ts';
import { readStored } from './require-file.ts';

type UploadFile = { assistantId: string; person: Person; upload: Upload };

/**
 * Stores a file of an assistant; it is processed from then on. The right to do so is asked before
 * and after, for an upload can take long.
 */
export async function uploadFile(
  { assistantId, person, upload }: UploadFile,
  writer: Writer,
  files: Pick<Files, 'storage' | 'wake' | 'quotas'>,
): Promise<AssistantFile> {
  const { organizationId, userId } = person;
  const committed = committedResult<string>(writer.database);
  if (committed)
    return readStored({ organizationId, assistantId, documentId: committed.result }, writer);
  await requireAssistant({ assistantId, person, level: 'EDIT' }, writer);
  const documentId = await receiveFile(
    { organizationId, upload, replacedBytes: null },
    { ...writer, files },
    async (received, requireQuota) => {
      await requireAssistant({ assistantId, person, level: 'EDIT' }, writer);
      return change(writer, async (tx, record, at) => {
        await lockAssistant({ assistantId, organizationId }, tx);
        await requireQuota(tx, 0);
        const { id, originalName, mimeType, size } = received;
        await tx.assistantFile.create({
          data: {
            ...received,
            assistantId,
            organizationId,
            uploadedById: userId,
            createdAt: at,
            updatedAt: at,
          },
          select: { id: true },
        });
        await record({
          action: 'upload-file',
          targetType: 'AssistantFile',
          targetId: id,
          changes: { assistantId, originalName, mimeType, size },
        });
        return id;
      });
    },
  );
  files.wake();
  return readStored({ organizationId, assistantId, documentId }, writer);
}
