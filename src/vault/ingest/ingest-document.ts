import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import type { Embedder } from '../embed/embedder.ts';
import { ExtractError } from '../extract/extract-error.ts';
import { type Reading, readDocument } from '../extract/read-document.ts';
import type { Sandbox } from '../extract/sandbox.ts';
import type { ReadLimits, ReadPassage } from '../extract/worker-messages.ts';
import type { EmbeddedPassage } from '../passage.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { embedPassages } from './embed-passages.ts';
import { type Received, sourceOf } from './work-directory.ts';

/** Goes up when documents come out otherwise than before, so that the same bytes are read anew. */
const readingVersion = 2;

/** What the vector database keeps beside a document for us. */
const keptFacts = z.object({
  reading: z.int(),
  mimeType: z.string(),
  derivation: z.enum(['text', 'markdown']),
  bytes: z.int(),
  pages: z.int().nullable(),
  characters: z.int(),
});

type IngestStage = {
  stage: 'EXTRACTING' | 'CHUNKING' | 'EMBEDDING' | 'INDEXING';
  passages: number;
};

type Ingestion = {
  collection: string;
  document: string;
  file: Received;
  fileName: string | undefined;
  /** A document that disappears in the instant in which this one appears. */
  replaces: string | undefined;
  /** A document with more passages is refused. One that is there already, unchanged, stays. */
  passagesMax: number;
  onStage: (stage: IngestStage) => void;
  signal: AbortSignal;
};

type Parts = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  limits: ReadLimits;
  sandbox: Sandbox;
  log: Log;
};

/** Makes a file findable. It is all there afterwards, or nothing of it is. */
export async function ingestDocument(
  ingestion: Ingestion,
  { vectorDb, embedder, limits, sandbox, log }: Parts,
) {
  const { collection, document, file, fileName, replaces, passagesMax, onStage, signal } =
    ingestion;
  const known = await vectorDb.document(collection, document, signal);
  const kept = keptFacts.safeParse(known?.facts);
  if (
    known &&
    kept.success &&
    known.hash === file.hash &&
    known.embedding === embedder.name &&
    kept.data.reading === readingVersion
  ) {
    if (replaces !== undefined) await vectorDb.remove(collection, replaces, signal);
    return answerOf(ingestion, {
      ...kept.data,
      passages: known.passages,
      unchanged: true,
      searchableAt: known.updatedAt,
    });
  }

  onStage({ stage: 'EXTRACTING', passages: 0 });
  // Ends the reading, however this one ends.
  const over = new AbortController();
  let fault: unknown;
  try {
    const reading = await readDocument({
      sandbox,
      source: sourceOf(file),
      limits,
      embed: embedder.inWorker ? 'hashing' : null,
      signal: AbortSignal.any([signal, over.signal]),
      log,
    });
    const { mimeType, derivation } = reading;
    const facts = {
      reading: readingVersion,
      mimeType,
      derivation,
      bytes: file.bytes,
      ...(fileName === undefined ? {} : { fileName }),
    };
    const lastFacts = async () => {
      const { pages, characters } = await reading.finished;
      return { pages, characters };
    };
    // Passages are on their way to the vector database while the next ones are read; it shows none
    // before the last.
    async function* passages() {
      try {
        yield* embeddedPassages(atMost(reading.batches, passagesMax), embedder, onStage, signal);
      } catch (error) {
        fault = error;
        throw error;
      }
    }
    const about = { hash: file.hash, embedding: embedder.name, facts, lastFacts, replaces };
    const stored = await vectorDb.put(collection, document, about, passages(), signal);
    const all = { ...facts, ...(await lastFacts()), passages: stored.passages };
    return answerOf(ingestion, {
      ...all,
      unchanged: false,
      searchableAt: new Date().toISOString(),
    });
  } catch (error) {
    signal.throwIfAborted();
    // The connection only knows that its body broke off.
    throw fault ?? error;
  } finally {
    over.abort();
  }
}

type Result = Pick<
  z.output<typeof keptFacts>,
  'mimeType' | 'derivation' | 'bytes' | 'pages' | 'characters'
> & {
  passages: number;
  unchanged: boolean;
  searchableAt: string;
};

function answerOf(
  { collection, document, file }: Ingestion,
  { mimeType, derivation, bytes, pages, characters, passages, unchanged, searchableAt }: Result,
) {
  const derivations = [derivation, 'chunks', 'embeddings'] as const;
  const what = {
    collection,
    document,
    hash: file.hash,
    mimeType,
    bytes,
    pages,
    passages,
    characters,
    derivations,
  };
  return { status: 'success', ...what, unchanged, searchable: true, searchableAt } as const;
}

type OnStage = Ingestion['onStage'];

async function* atMost(
  batches: Reading['batches'],
  passagesMax: number,
): AsyncGenerator<ReadPassage[]> {
  let passages = 0;
  for await (const batch of batches) {
    passages += batch.length;
    if (passages > passagesMax) throw new ExtractError('QUOTA_EXCEEDED');
    yield batch;
  }
}

/**
 * A stage is told when it begins, and while passages are embedded about once a second how many they
 * are.
 */
async function* embeddedPassages(
  batches: Reading['batches'],
  embedder: Embedder,
  onStage: OnStage,
  signal: AbortSignal,
): AsyncGenerator<EmbeddedPassage> {
  let embedded = 0;
  let toldAt = 0;
  async function* chunked() {
    let isFirst = true;
    for await (const batch of batches) {
      if (isFirst) onStage({ stage: 'CHUNKING', passages: batch.length });
      isFirst = false;
      yield batch;
    }
  }
  for await (const passage of embedPassages(chunked(), embedder, signal)) {
    embedded += 1;
    const now = performance.now();
    if (embedded === 1 || now - toldAt >= 1_000) {
      toldAt = now;
      onStage({ stage: 'EMBEDDING', passages: embedded });
    }
    yield passage;
  }
  onStage({ stage: 'INDEXING', passages: embedded });
}
