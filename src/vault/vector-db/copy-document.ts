import { isDeepStrictEqual } from 'node:util';
import type { DocumentRecord } from './catalog.ts';
import type { PassageBatches, PassageStore } from './passage-store.ts';

const passagesPerBatch = 1_000;

/** Whether a store has this content of the document, in the same embedding and with the same facts. */
export function hasCopy(store: PassageStore, record: DocumentRecord): boolean {
  const { hash, embedding, passages, facts } = record;
  const copy = store.collections.get(record.collection)?.documents.get(record.document);
  return (
    copy?.hash === hash &&
    copy.embedding === embedding &&
    copy.passages === passages &&
    isDeepStrictEqual(copy.facts, facts)
  );
}

/** Copies a document with its passages, vectors and facts from one store to another. */
export async function copyDocument(
  source: PassageStore,
  target: PassageStore,
  { collection, document, hash, embedding, facts, passages }: DocumentRecord,
): Promise<void> {
  async function* batches(): PassageBatches {
    for (let from = 0; from < passages; from += passagesPerBatch)
      yield [...(await source.passages(collection, document, { from, limit: passagesPerBatch }))];
    return {};
  }
  const write = { collection, document, hash, embedding, facts };
  await target.put({ ...write, replaces: undefined, ifGeneration: undefined }, batches());
}
