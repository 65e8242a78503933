import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import type { Embedder } from '../embed/embedding.ts';
import { type EmbeddedPassage, textWithHeadings } from '../passage.ts';
import type { VectorDbClient } from '../vector-db/client.ts';

type ReEmbeddingDependencies = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  log: Log;
  pauseBetweenDocumentsMs?: number;
  retryMs?: number;
};
type StoredDocument = Awaited<ReturnType<VectorDbClient['documents']>>['documents'][number];
type OutdatedDocument = { collection: string; document: StoredDocument };

export type ReEmbedding = ReturnType<typeof startReEmbedding>;

/** Smaller than the batches of ingestion, so that new documents and searches are not delayed. */
const batchPassages = 50;

/**
 * Re-embeds documents with the configured embedder in the background, one after the other. Each
 * stored document names its embedding, so the work continues after a restart, and a document stays
 * searchable in its old embedding until its turn.
 */
export function startReEmbedding({
  vectorDb,
  embedder,
  log,
  pauseBetweenDocumentsMs = 50,
  retryMs = 60_000,
}: ReEmbeddingDependencies) {
  const stop = new AbortController();
  const { signal } = stop;
  const progress = { done: 0, total: 0 };

  async function runUntilComplete(): Promise<void> {
    for (;;) {
      const isComplete = await runOnce().catch((error: unknown) => {
        if (!signal.aborted)
          log.warn(
            { err: error, retryMs },
            'moving documents to the new embedding failed; it is tried again',
          );
        return false;
      });
      if (isComplete || signal.aborted) return;
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Tries each outdated document once. Returns whether all were moved. */
  async function runOnce(): Promise<boolean> {
    let remaining = 0;
    for await (const _ of outdatedDocuments()) remaining++;
    progress.total = progress.done + remaining;
    for await (const outdated of outdatedDocuments()) {
      try {
        await move(outdated);
        progress.done++;
        remaining--;
      } catch (error) {
        signal.throwIfAborted();
        log.warn(
          { err: error, document: outdated.document.document },
          'a document could not be moved to the new embedding',
        );
      }
      await sleep(pauseBetweenDocumentsMs, undefined, { signal });
    }
    if (progress.total > 0) log.info({ ...progress }, 'documents moved to the new embedding');
    return remaining <= 0;
  }

  async function* outdatedDocuments(): AsyncGenerator<OutdatedDocument> {
    for await (const { collection, embeddings } of pages(
      (after) => vectorDb.collections({ after }, signal),
      'collections',
    )) {
      if (embeddings.every((name) => name === embedder.name)) continue;
      for await (const document of pages(
        (after) => vectorDb.documents(collection, { after }, signal),
        'documents',
      ))
        if (document.embedding !== embedder.name) yield { collection, document };
    }
  }

  async function move({ collection, document }: OutdatedDocument): Promise<void> {
    // If the document was replaced or removed meanwhile, its generation differs and the vector
    // database rejects this write.
    const { document: name, hash, facts, generation: ifGeneration } = document;
    await vectorDb.put(
      collection,
      name,
      { hash, embedding: embedder.name, facts, ifGeneration },
      embeddedPassages(collection, name),
      signal,
    );
  }

  async function* embeddedPassages(
    collection: string,
    name: string,
  ): AsyncGenerator<EmbeddedPassage> {
    for (let from = 0; ; from += batchPassages) {
      const { passages } = await vectorDb.passages(
        collection,
        name,
        { from, limit: batchPassages },
        signal,
      );
      const texts = passages.map((passage) =>
        embedder.inWorker ? textWithHeadings(passage) : passage.text,
      );
      const vectors = texts.length === 0 ? [] : await embedder.embed(texts, 'passage', signal);
      for (const [index, passage] of passages.entries()) {
        const vector = vectors[index];
        if (vector) yield { ...passage, vector };
      }
      if (passages.length < batchPassages) return;
    }
  }

  const running = runUntilComplete();
  return {
    /** The number of documents to move since the start, and how many of them are moved. */
    progress: () => ({ ...progress }),
    finished: running,
    async close() {
      stop.abort();
      await running;
    },
  };
}

async function* pages<Key extends string, Row>(
  read: (after: string | undefined) => Promise<Record<Key, Row[]> & { next: string | null }>,
  key: Key,
): AsyncGenerator<Row> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield* page[key];
    after = page.next ?? undefined;
  } while (after !== undefined);
}
