import type { Person } from '../assistants/access.ts';
import { lockAssistant } from '../assistants/lock-assistant.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { FileServices } from './file-services.ts';
import {
  type RemovalResult,
  removalLeaseSeconds,
  removeLeftovers,
} from './processing/remove-leftovers.ts';
import { lockFile, requireFile, requireMatchingEtag } from './require-file.ts';
import { requestRemoval } from './store-file.ts';

type DeleteFileInput = {
  assistantId: string;
  documentId: string;
  person: Person;
  ifMatch?: string | null | undefined;
};

/**
 * What has been removed so far. `pending`: the storage or the vault could not be reached, and the
 * file processor removes the rest later.
 */
export type FileDeletion = {
  original: boolean;
  derived: string[];
  passages: number;
  pending: boolean;
};

/**
 * Deletes a file with everything that was made of it. Once the transaction is committed, no request
 * finds the file any more.
 */
export async function deleteFile(
  { assistantId, documentId, person, ifMatch }: DeleteFileInput,
  writer: Writer,
  files: FileServices,
): Promise<FileDeletion> {
  const { organizationId } = person;
  const assistantKey = { organizationId, assistantId };
  requireMatchingEtag(
    ifMatch,
    await requireFile({ assistantId, documentId, person, level: 'EDIT' }, writer),
  );
  const { removalIds, derivations } = await change(writer, async (tx, record, at) => {
    await lockAssistant(assistantKey, tx);
    const file = await lockFile({ ...assistantKey, documentId }, tx);
    tx.enqueue`delete from assistant_files where id = ${file.id} and assistant_id = ${assistantId} and organization_id = ${organizationId}`;
    // The lease keeps the file processor from removing the passages first, which are counted here.
    const removal = (document: string, storageKeys: string[]) =>
      requestRemoval(
        { ...assistantKey, document, storageKeys, at, leaseSeconds: removalLeaseSeconds },
        tx,
      );
    // The previous version that this file was to replace is removed as well.
    const removalIds = [
      removal(file.id, [file.storageKey]),
      ...(file.replacesId === null ? [] : [removal(file.replacesId, [])]),
    ];
    record({
      action: 'delete-file',
      targetType: 'AssistantFile',
      targetId: file.id,
      changes: { assistantId, originalName: file.originalName },
    });
    return { removalIds, derivations: file.derivations };
  });
  const results = await removeLeftovers({ removalIds }, { ...writer, files });
  return summarize(results, removalIds.length, derivations);
}

function summarize(
  results: RemovalResult[],
  expected: number,
  derivations: string[],
): FileDeletion {
  const fromVault = results.filter(({ passages }) => passages !== null);
  return {
    original: results.some(({ originals }) => originals > 0),
    derived: fromVault.length === expected ? derivations : [],
    passages: fromVault.reduce((sum, { passages }) => sum + (passages ?? 0), 0),
    pending: fromVault.length < expected || results.length < expected,
  };
}
