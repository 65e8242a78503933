import type { Upload } from '../../http/upload.ts';
import { committedResult } from '../../platform/database/transaction.ts';
import type { Person } from '../assistants/access.ts';
import { lockAssistant } from '../assistants/lock-assistant.ts';
import { requireAssistant } from '../assistants/require-assistant.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { AssistantFile } from './assistant-file.ts';
import type { FileServices } from './file-services.ts';
import { receiveFile } from './receive-file.ts';
import { readStoredFile } from './require-file.ts';
import { recordUploads, storeFile } from './store-file.ts';

type UploadFileInput = {
  assistantId: string;
  person: Person;
  upload: Upload;
  /** The person as of the end of the upload, which can take hours. */
  personAfterwards?: (() => Promise<Person>) | undefined;
};

/**
 * Adds a file to an assistant and wakes the file processor. The access is checked before and after
 * the upload, because an upload can take long.
 */
export async function uploadFile(
  { assistantId, person, upload, personAfterwards = async () => person }: UploadFileInput,
  writer: Writer,
  files: Pick<FileServices, 'storage' | 'wake' | 'quotas'>,
): Promise<AssistantFile> {
  const { organizationId, userId } = person;
  const committed = committedResult<string>(writer.database);
  if (committed)
    return readStoredFile({ organizationId, assistantId, documentId: committed.result }, writer);
  await requireAssistant({ assistantId, person, level: 'EDIT' }, writer);
  const documentId = await receiveFile(
    { organizationId, upload, replacedBytes: null },
    { ...writer, files },
    async (received, requireQuota) => {
      const access = { assistantId, person: await personAfterwards(), level: 'EDIT' as const };
      await requireAssistant(access, writer);
      return change(writer, async (tx, record, at) => {
        await lockAssistant({ assistantId, organizationId }, tx);
        await requireQuota(tx, 0);
        storeFile({ ...received, assistantId, organizationId, uploadedById: userId, at }, tx);
        recordUploads(record, assistantId, [received]);
        return received.id;
      });
    },
  );
  files.wake();
  return readStoredFile({ organizationId, assistantId, documentId }, writer);
}
