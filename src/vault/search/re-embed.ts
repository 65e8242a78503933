import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { EmbeddedPassage } from '../passage.ts';
import type { VectorDbClient } from '../vector-db/client.ts';

type Parts = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  log: Log;
  pauseMs?: number;
  againMs?: number;
};
type Document = Awaited<ReturnType<VectorDbClient['documents']>>['documents'][number];
type Place = { collection: string; document: Document };

export type ReEmbedding = ReturnType<typeof startReEmbedding>;

/** Less at once than ingestion takes, so that new documents and questions come first. */
const passagesAtOnce = 50;

/**
 * Moves documents into the space of the embedder of today, one after the other, in the background.
 * What is to be done is seen from the documents themselves, so that it goes on after a stop, and
 * until its turn each answers from where it is.
 */
export function startReEmbedding({
  vectorDb,
  embedder,
  log,
  pauseMs = 50,
  againMs = 60_000,
}: Parts) {
  const stop = new AbortController();
  const { signal } = stop;
  const progress = { done: 0, total: 0 };

  async function run(): Promise<void> {
    for (;;) {
      const isComplete = await round().catch((error: unknown) => {
        if (!signal.aborted)
          log.warn({ err: error }, 'moving documents to the new embedding stopped for now');
        return false;
      });
      if (isComplete || signal.aborted) return;
      await sleep(againMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Whether nothing is left to be moved. */
  async function round(): Promise<boolean> {
    let left = 0;
    for await (const _ of strangers()) left++;
    progress.total = progress.done + left;
    for await (const place of strangers()) {
      try {
        await move(place);
        progress.done++;
        left--;
      } catch (error) {
        signal.throwIfAborted();
        log.warn(
          { err: error, document: place.document.document },
          'a document could not be moved to the new embedding',
        );
      }
      await sleep(pauseMs, undefined, { signal });
    }
    if (progress.total > 0) log.info({ ...progress }, 'documents moved to the new embedding');
    return left <= 0;
  }

  async function* strangers(): AsyncGenerator<Place> {
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

  async function move({ collection, document }: Place): Promise<void> {
    // Sent anew or removed meanwhile, it is not this generation any more, and the vector database
    // stores nothing.
    const { document: name, hash, facts, generation: ifGeneration } = document;
    await vectorDb.put(
      collection,
      name,
      { hash, embedding: embedder.name, facts, ifGeneration },
      embedded(collection, name),
      signal,
    );
  }

  async function* embedded(collection: string, name: string): AsyncGenerator<EmbeddedPassage> {
    for (let from = 0; ; from += passagesAtOnce) {
      const { passages } = await vectorDb.passages(
        collection,
        name,
        { from, limit: passagesAtOnce },
        signal,
      );
      const texts = passages.map(({ text }) => text);
      const vectors = texts.length === 0 ? [] : await embedder.embed(texts, 'passage', signal);
      for (const [index, passage] of passages.entries()) {
        const vector = vectors[index];
        if (vector) yield { ...passage, vector };
      }
      if (passages.length < passagesAtOnce) return;
    }
  }

  const running = run();
  return {
    /** How many documents were to be moved since the start, and how many are. */
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
