import type { Upload } from '../../graph/upload.ts';
import { committedResult } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { Person } from '../assistants/access.ts';
import { lockAssistant } from '../assistants/lock-assistant.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { AssistantFile } from './assistant-file.ts';
import type { Files } from './files.ts';
import { receiveFile } from './receive-file.ts';
import { holdFile, readStored, requireFile, requireTag } from './require-file.ts';

type ReplaceFile = {
  assistantId: string;
  documentId: string;
  person: Person;
  upload: Upload;
  ifMatch?: string | null | undefined;
};

type Replacement = { id: string; unchanged: boolean };

/**
 * Puts a new file in the place of another, under a new id, also where it has the same content. The
 * old file is gone at once, except for its passages: they answer questions until the new one is
 * COMPLETED. `unchanged`: the new file has the old one's content and name.
 */
export async function replaceFile(
  { assistantId, documentId, person, upload, ifMatch }: ReplaceFile,
  writer: Writer,
  files: Files,
): Promise<{ file: AssistantFile; unchanged: boolean }> {
  const { organizationId, userId } = person;
  const place = { organizationId, assistantId };
  const allow = async () => {
    const file = await requireFile({ assistantId, documentId, person, level: 'EDIT' }, writer);
    requireTag(ifMatch, file);
    return file;
  };
  const committed = committedResult<Replacement>(writer.database);
  if (committed)
    return {
      file: await readStored({ ...place, documentId: committed.result.id }, writer),
      unchanged: committed.result.unchanged,
    };
  const { size: replacedBytes } = await allow();
  const { id, unchanged } = await receiveFile(
    { organizationId, upload, replacedBytes },
    { ...writer, files },
    async (received, requireQuota) => {
      await allow();
      return change(writer, async (tx, record, at): Promise<Replacement> => {
        await lockAssistant(place, tx);
        const old = await holdFile({ ...place, documentId }, tx);
        await requireQuota(tx, old.size);
        await tx.assistantFile.deleteMany({ where: { id: old.id, assistantId, organizationId } });
        const { replacesId, replacesName } =
          old.status === 'COMPLETED' ? { replacesId: old.id, replacesName: old.originalName } : old;
        const stamps = { uploadedById: userId, createdAt: at, updatedAt: at };
        await tx.assistantFile.create({
          data: {
            ...received,
            ...place,
            replacesId,
            replacesName,
            indexedPassages: old.indexedPassages,
            ...stamps,
          },
          select: { id: true },
        });
        await tx.fileRemoval.create({
          data: {
            id: newId(at.getTime()),
            organizationId,
            collection: assistantId,
            document: old.id,
            storageKeys: [old.storageKey],
            createdAt: at,
          },
          select: { id: true },
        });
        const { originalName, mimeType, size } = received;
        const changes = { assistantId, replacedId: old.id, originalName, mimeType, size };
        await record({
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
  return { file: await readStored({ ...place, documentId: id }, writer), unchanged };
}
