import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import type { Embedder } from '../embed/embedding.ts';
import { ExtractError } from '../extract/extract-error.ts';
import { noticeCodes, noticeMessages } from '../extract/notices.ts';
import { type DocumentReading, readDocument } from '../extract/read-document.ts';
import type { Sandbox } from '../extract/sandbox.ts';
import type { ReadLimits, ReadPassage } from '../extract/worker-messages.ts';
import type { EmbeddedPassage } from '../passage.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { embedPassages } from './embed-passages.ts';
import { type ReceivedFile, sourceOf } from './work-directory.ts';

/** Increased when reading gives other results, so that unchanged files are read again. */
const readingVersion = 6;

/** The vault's metadata of a document, which the vector database stores with it. */
const factsSchema = z.object({
  reading: z.int(),
  /** Whether images were recognized, so that a file is read again once that is turned on. */
  recognizesImages: z.boolean().default(false),
  mimeType: z.string(),
  derivation: z.enum(['text', 'markdown']),
  bytes: z.int(),
  pages: z.int().nullable(),
  characters: z.int(),
  notices: z.array(z.object({ code: z.enum(noticeCodes), count: z.int() })),
});

type IngestStage = {
  stage: 'EXTRACTING' | 'CHUNKING' | 'EMBEDDING' | 'INDEXING';
  passages: number;
};

type IngestInput = {
  collection: string;
  document: string;
  file: ReceivedFile;
  fileName: string | undefined;
  /** A document that is removed in the same commit in which this one appears. */
  replaces: string | undefined;
  /** A document with more passages is rejected, unless it is already stored and unchanged. */
  passagesMax: number;
  /** Whose document it is; undefined for one whose tenant is not known. */
  tenant?: string | undefined;
  onStage: (stage: IngestStage) => void;
  signal: AbortSignal;
};

type IngestDependencies = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  limits: ReadLimits;
  sandbox: Sandbox;
  log: Log;
};

/** Makes a file searchable, completely or not at all. */
export async function ingestDocument(
  input: IngestInput,
  { vectorDb, embedder, limits, sandbox, log }: IngestDependencies,
) {
  const { collection, document, file, fileName, replaces, passagesMax, onStage, signal } = input;
  const storedDocument = await vectorDb.document(collection, document, signal);
  const recognizesImages = limits.recognition !== undefined;
  const storedFacts = factsSchema.safeParse(storedDocument?.facts);
  if (
    storedDocument &&
    storedFacts.success &&
    storedDocument.hash === file.hash &&
    storedDocument.embedding === embedder.name &&
    storedFacts.data.reading === readingVersion &&
    storedFacts.data.recognizesImages === recognizesImages
  ) {
    if (replaces !== undefined) await vectorDb.remove(collection, replaces, signal);
    return formatAnswer(input, {
      ...storedFacts.data,
      passages: storedDocument.passages,
      unchanged: true,
      searchableAt: storedDocument.updatedAt,
    });
  }

  onStage({ stage: 'EXTRACTING', passages: 0 });
  // Stops the reader process, however this function ends.
  const stopReading = new AbortController();
  let fault: unknown;
  try {
    const reading = await readDocument({
      sandbox,
      source: sourceOf(file),
      tenant: input.tenant,
      limits,
      embed: embedder.inWorker ? 'hashing' : null,
      signal: AbortSignal.any([signal, stopReading.signal]),
      log,
    });
    const { mimeType, derivation } = reading;
    const facts = {
      reading: readingVersion,
      recognizesImages,
      mimeType,
      derivation,
      bytes: file.bytes,
      ...(fileName === undefined ? {} : { fileName }),
    };
    const lastFacts = async () => {
      const { pages, characters, notices } = await reading.finished;
      return { pages, characters, notices };
    };
    // Passages are sent to the vector database while the next ones are read. They become visible
    // together after the last one.
    async function* passages() {
      try {
        yield* embeddedPassages(
          limitPassages(reading.batches, passagesMax),
          embedder,
          onStage,
          signal,
        );
      } catch (error) {
        fault = error;
        throw error;
      }
    }
    const metadata = { hash: file.hash, embedding: embedder.name, facts, lastFacts, replaces };
    const stored = await vectorDb.put(collection, document, metadata, passages(), signal);
    const result = { ...facts, ...(await lastFacts()), passages: stored.passages };
    return formatAnswer(input, {
      ...result,
      unchanged: false,
      searchableAt: new Date().toISOString(),
    });
  } catch (error) {
    signal.throwIfAborted();
    // `error` says only that the request body failed; `fault` is the cause.
    throw fault ?? error;
  } finally {
    stopReading.abort();
  }
}

type IngestOutcome = Pick<
  z.output<typeof factsSchema>,
  'mimeType' | 'derivation' | 'bytes' | 'pages' | 'characters' | 'notices'
> & {
  passages: number;
  unchanged: boolean;
  searchableAt: string;
};

function formatAnswer(
  { collection, document, file }: IngestInput,
  {
    mimeType,
    derivation,
    bytes,
    pages,
    characters,
    notices,
    passages,
    unchanged,
    searchableAt,
  }: IngestOutcome,
) {
  const derivations = [derivation, 'chunks', 'embeddings'] as const;
  const documentFields = {
    collection,
    document,
    hash: file.hash,
    mimeType,
    bytes,
    pages,
    passages,
    characters,
    derivations,
    notices: notices.map(({ code, count }) => ({ code, message: noticeMessages[code](count) })),
  };
  return {
    status: 'success',
    ...documentFields,
    unchanged,
    searchable: true,
    searchableAt,
  } as const;
}

type OnStage = IngestInput['onStage'];

async function* limitPassages(
  batches: DocumentReading['batches'],
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
 * Reports each stage when it begins, and the number of embedded passages about once a second.
 */
async function* embeddedPassages(
  batches: DocumentReading['batches'],
  embedder: Embedder,
  onStage: OnStage,
  signal: AbortSignal,
): AsyncGenerator<EmbeddedPassage> {
  let embedded = 0;
  let reportedAt = 0;
  async function* reportFirstBatch() {
    let isFirst = true;
    for await (const batch of batches) {
      if (isFirst) onStage({ stage: 'CHUNKING', passages: batch.length });
      isFirst = false;
      yield batch;
    }
  }
  for await (const passage of embedPassages(reportFirstBatch(), embedder, signal)) {
    embedded += 1;
    const now = performance.now();
    if (embedded === 1 || now - reportedAt >= 1_000) {
      reportedAt = now;
      onStage({ stage: 'EMBEDDING', passages: embedded });
    }
    yield passage;
  }
  onStage({ stage: 'INDEXING', passages: embedded });
}
