import type { Upload } from '../../http/upload.ts';
import { committedResult } from '../../platform/database/transaction.ts';
import type { Person } from '../assistants/access.ts';
import { lockAssistant } from '../assistants/lock-assistant.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { AssistantFile } from './assistant-file.ts';
import type { FileServices } from './file-services.ts';
import { receiveFile } from './receive-file.ts';
import { lockFile, readStoredFile, requireFile, requireMatchingEtag } from './require-file.ts';
import { requestRemoval, storeFile } from './store-file.ts';

type ReplaceFileInput = {
  assistantId: string;
  documentId: string;
  person: Person;
  upload: Upload;
  /** The person as of the end of the upload, which can take hours. */
  personAfterwards?: (() => Promise<Person>) | undefined;
  ifMatch?: string | null | undefined;
};

type ReplacementRecord = { id: string; unchanged: boolean };

/**
 * Replaces a file with a new one. The new file gets a new id, even if the content is the same. The
 * old file is deleted at once except for its passages, which runs search until the new file is
 * COMPLETED. `unchanged`: the new file has the content and the name of the old one.
 */
export async function replaceFile(
  {
    assistantId,
    documentId,
    person,
    upload,
    ifMatch,
    personAfterwards = async () => person,
  }: ReplaceFileInput,
  writer: Writer,
  files: FileServices,
): Promise<{ file: AssistantFile; unchanged: boolean }> {
  const { organizationId, userId } = person;
  const assistantKey = { organizationId, assistantId };
  const requireEditable = async (editor: Person) => {
    const access = { assistantId, documentId, person: editor, level: 'EDIT' as const };
    const file = await requireFile(access, writer);
    requireMatchingEtag(ifMatch, file);
    return file;
  };
  const committed = committedResult<ReplacementRecord>(writer.database);
  if (committed)
    return {
      file: await readStoredFile({ ...assistantKey, documentId: committed.result.id }, writer),
      unchanged: committed.result.unchanged,
    };
  const { size: replacedBytes } = await requireEditable(person);
  const { id, unchanged } = await receiveFile(
    { organizationId, upload, replacedBytes },
    { ...writer, files },
    async (received, requireQuota) => {
      await requireEditable(await personAfterwards());
      return change(writer, async (tx, record, at): Promise<ReplacementRecord> => {
        await lockAssistant(assistantKey, tx);
        const old = await lockFile({ ...assistantKey, documentId }, tx);
        await requireQuota(tx, old.size);
        tx.enqueue`delete from assistant_files where id = ${old.id} and assistant_id = ${assistantId} and organization_id = ${organizationId}`;
        const { replacesId, replacesName } =
          old.status === 'COMPLETED' ? { replacesId: old.id, replacesName: old.originalName } : old;
        const { indexedPassages } = old;
        storeFile(
          {
            ...{ ...received, ...assistantKey, uploadedById: userId, at },
            ...{ replacesId, replacesName, indexedPassages },
          },
          tx,
        );
        requestRemoval(
          {
            ...{ ...assistantKey, document: old.id, storageKeys: [old.storageKey], at },
            leaseSeconds: null,
          },
          tx,
        );
        const { originalName, mimeType, size } = received;
        const changes = { assistantId, replacedId: old.id, originalName, mimeType, size };
        record({
          action: 'replace-file',
          targetType: 'AssistantFile',
          targetId: received.id,
          changes,
        });
        return {
          id: received.id,
          unchanged: old.hash === received.hash && old.originalName === originalName,
        };
      });
    },
  );
  files.wake();
  return { file: await readStoredFile({ ...assistantKey, documentId: id }, writer), unchanged };
}
