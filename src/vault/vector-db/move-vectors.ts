import type { DocumentRecord } from './catalog.ts';
import { copyDocument, hasCopy } from './copy-document.ts';
import type { PassageStore } from './passage-store.ts';

/** So many documents are copied at the same time. */
const copiers = 4;

export type MoveProgress = {
  documents: number;
  documentsTotal: number;
  passages: number;
  passagesTotal: number;
};
type MoveSummary = MoveProgress & {
  /** Documents that the target had already. */
  skipped: number;
  /** Documents of the target that the source no longer has. */
  removed: number;
};

type Move = {
  source: PassageStore;
  target: PassageStore;
  onProgress: (progress: MoveProgress) => void;
};

/**
 * Makes the documents of the target those of the source. Each document is copied completely or not
 * at all, and is not copied again, so a move that was killed goes on where it was.
 */
export async function moveVectors({ source, target, onProgress }: Move): Promise<MoveSummary> {
  const records = [...source.collections.values()].flatMap(({ documents }) => [
    ...documents.values(),
  ]);
  if (records.length === 0)
    throw new Error('The source has no documents, so nothing is copied or removed');
  const removed = await removeOthers(source, target);
  const progress = {
    documents: 0,
    documentsTotal: records.length,
    passages: 0,
    passagesTotal: records.reduce((sum, { passages }) => sum + passages, 0),
  };
  let skipped = 0;
  const remaining = records.values();
  const copyRemaining = async () => {
    for (const record of remaining) {
      if (hasCopy(target, record)) skipped += 1;
      else await copyDocument(source, target, record);
      progress.documents += 1;
      progress.passages += record.passages;
      onProgress(progress);
    }
  };
  await Promise.all(Array.from({ length: copiers }, copyRemaining));
  await target.settled();
  requireEqual(records, target);
  return { ...progress, skipped, removed };
}

async function removeOthers(source: PassageStore, target: PassageStore): Promise<number> {
  let removed = 0;
  for (const [collection, { documents }] of [...target.collections]) {
    const kept = source.collections.get(collection)?.documents;
    const others = [...documents.keys()].filter((document) => !kept?.has(document));
    if (others.length > 0) removed += (await target.remove(collection, others)).length;
  }
  return removed;
}

function requireEqual(records: readonly DocumentRecord[], target: PassageStore): void {
  const missing = records.filter((record) => !hasCopy(target, record));
  const stored = [...target.collections.values()].reduce(
    (count, { documents }) => count + documents.size,
    0,
  );
  if (missing.length > 0 || stored !== records.length)
    throw new Error(
      `The target is not equal to the source: it has ${stored} of ${records.length} documents, and ${missing.length} differ. Run the move again.`,
    );
}
