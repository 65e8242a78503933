import { newId } from '../../platform/ids.ts';
import type { Person } from '../assistants/access.ts';
import { lockAssistant } from '../assistants/lock-assistant.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Files } from './files.ts';
import { type Removed, removeLeftovers } from './processing/remove-leftovers.ts';
import { holdFile, requireFile, requireTag } from './require-file.ts';

type DeleteFile = {
  assistantId: string;
  documentId: string;
  person: Person;
  ifMatch?: string | null | undefined;
};

/**
 * What is gone by now. What is still `pending` follows as soon as storage and vault can be reached.
 */
export type DeletedParts = {
  original: boolean;
  derived: string[];
  passages: number;
  pending: boolean;
};

/**
 * Deletes a file with everything that was made of it. Nobody finds the file from the transaction
 * on.
 */
export async function deleteFile(
  { assistantId, documentId, person, ifMatch }: DeleteFile,
  writer: Writer,
  files: Files,
): Promise<DeletedParts> {
  const { organizationId } = person;
  const place = { organizationId, assistantId };
  requireTag(
    ifMatch,
    await requireFile({ assistantId, documentId, person, level: 'EDIT' }, writer),
  );
  const { removalIds, derivations } = await change(writer, async (tx, record, at) => {
    await lockAssistant(place, tx);
    const file = await holdFile({ ...place, documentId }, tx);
    await tx.assistantFile.deleteMany({ where: { id: file.id, assistantId, organizationId } });
    const removal = (document: string, storageKeys: string[]) => ({
      ...{
        id: newId(at.getTime()),
        organizationId,
        collection: assistantId,
        document,
        storageKeys,
        createdAt: at,
      },
    });
    // What it was to replace goes with it.
    const removals = [
      removal(file.id, [file.storageKey]),
      ...(file.replacesId === null ? [] : [removal(file.replacesId, [])]),
    ];
    await tx.fileRemoval.createMany({ data: removals });
    await record({
      action: 'delete-file',
      targetType: 'AssistantFile',
      targetId: file.id,
      changes: { assistantId, originalName: file.originalName },
    });
    return { removalIds: removals.map(({ id }) => id), derivations: file.derivations };
  });
  const removed = await removeLeftovers({ removalIds }, { ...writer, files });
  return summary(removed, removalIds.length, derivations);
}

function summary(removed: Removed[], expected: number, derivations: string[]): DeletedParts {
  const fromVault = removed.filter(({ passages }) => passages !== null);
  return {
    original: removed.some(({ originals }) => originals > 0),
    derived: fromVault.length === expected ? derivations : [],
    passages: fromVault.reduce((sum, { passages }) => sum + (passages ?? 0), 0),
    pending: fromVault.length < expected || removed.length < expected,
  };
}
