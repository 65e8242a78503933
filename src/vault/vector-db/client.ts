import { z } from 'zod';
import { AppError, type ErrorCode, errorCatalogue, notFound } from '../../platform/errors.ts';
import { traceHeaders } from '../../platform/trace-context.ts';
import { inClientSpan } from '../client-span.ts';
import { pathOf } from '../names.ts';
import type { EmbeddedPassage, TextRange } from '../passage.ts';
import { queryOf } from '../query.ts';
import { signRequest } from '../signature.ts';
import { answerSchemas as schemas } from './answer-schemas.ts';
import { encodeVector } from './encode-vector.ts';

const requestTimeoutMs = 30_000;
const chunkUnits = 65_536;

const refusal = z.object({ message: z.string() });

type DocumentMetadata = {
  hash: string;
  embedding: string;
  facts: Record<string, unknown>;
  /** Facts that are known only after the last passage; stored with the other facts. */
  lastFacts?: () => Promise<Record<string, unknown>>;
  replaces?: string | undefined;
  /** Throws PRECONDITION_FAILED unless this generation of the document is live. */
  ifGeneration?: number;
};
type SearchInput = {
  text?: string;
  vectors?: Record<string, Float32Array>;
  limit: number;
  documents?: readonly string[];
};
type BestInput = SearchInput & { best: { passages: number; weights: Record<string, number> } };
type PageInput = { after?: string | undefined; limit?: number | undefined };
type RequestOptions = {
  body?: string | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};

export type VectorDbClient = ReturnType<typeof createVectorDbClient>;

/**
 * The vault's client of the vector database. Rejected calls throw an AppError; a database that does
 * not answer throws UNAVAILABLE.
 */
export function createVectorDbClient({ url, secret }: { url: string; secret: string }) {
  const call = async <Answer>(
    method: string,
    path: string,
    schema: z.ZodType<Answer>,
    { body, headers = {}, signal }: RequestOptions = {},
  ): Promise<Answer> => {
    const isStream = body instanceof ReadableStream;
    const authorization = signRequest(
      { method, path, text: isStream ? undefined : body },
      { secret, audience: 'vector-db' },
    );
    const signals = [
      ...(signal ? [signal] : []),
      ...(isStream ? [] : [AbortSignal.timeout(requestTimeoutMs)]),
    ];
    const send = async (): Promise<{ status: number; answer: unknown }> => {
      try {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { ...headers, ...traceHeaders(), authorization },
          redirect: 'error',
          ...(body === undefined ? {} : { body, duplex: 'half' }),
          ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
        });
        return { status: response.status, answer: await response.json() };
      } catch {
        signal?.throwIfAborted();
        throw new AppError('UNAVAILABLE', 'The vector database is out of reach');
      }
    };
    const { status, answer } = await inClientSpan({ method, path }, url, send);
    if (status !== 200) throw toAppError(status, refusal.safeParse(answer).data);
    return schema.parse(answer);
  };

  return {
    async put(
      collection: string,
      name: string,
      { replaces, ifGeneration, ...metadata }: DocumentMetadata,
      passages: AsyncIterable<EmbeddedPassage>,
      signal?: AbortSignal,
    ) {
      const headers = {
        'content-type': 'application/x-ndjson',
        'x-document-hash': metadata.hash,
        'x-embedding': metadata.embedding,
        'x-document-facts': encodeURIComponent(JSON.stringify(metadata.facts)),
        ...(ifGeneration === undefined ? {} : { 'if-match': `"${ifGeneration}"` }),
      };
      const body = streamOf(await withFirstChunk(linesOf(passages, metadata.lastFacts)));
      return call('PUT', `${pathOf(collection, name)}${queryOf({ replaces })}`, schemas.stored, {
        body,
        headers,
        signal,
      });
    },
    document: (collection: string, name: string, signal?: AbortSignal) =>
      call('GET', pathOf(collection, name), schemas.document, { signal }).catch(
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
          throw error;
        },
      ),
    documents: (collection: string, page: PageInput = {}, signal?: AbortSignal) =>
      call('GET', `${pathOf(collection)}/documents${queryOf(page)}`, schemas.documents, {
        signal,
      }),
    passages: (
      collection: string,
      name: string,
      range: { from?: number; limit?: number } | TextRange = {},
      signal?: AbortSignal,
    ) =>
      call('GET', `${pathOf(collection, name)}/passages${queryOf(range)}`, schemas.passages, {
        signal,
      }),
    collections: (page: PageInput = {}, signal?: AbortSignal) =>
      call('GET', `/v1/collections${queryOf(page)}`, schemas.collections, { signal }),
    remove: (collection: string, name: string, signal?: AbortSignal) =>
      call('DELETE', pathOf(collection, name), schemas.removed, { signal }),
    removeCollection: (collection: string, signal?: AbortSignal) =>
      call('DELETE', pathOf(collection), schemas.removedCollection, { signal }),
    search: (collection: string, input: SearchInput, signal?: AbortSignal) =>
      call('POST', `${pathOf(collection)}/search`, schemas.searchResult, {
        ...searchRequest(input),
        signal,
      }),
    /** The scores of all hits, and the passages that are best when the lists are fused. */
    searchBest: (collection: string, input: BestInput, signal?: AbortSignal) =>
      call('POST', `${pathOf(collection)}/search`, schemas.bestResult, {
        ...searchRequest(input),
        signal,
      }),
  };
}

function searchRequest({ vectors = {}, ...input }: SearchInput): RequestOptions {
  const encoded = Object.fromEntries(
    Object.entries(vectors).map(([space, vector]) => [space, encodeVector(vector)]),
  );
  return {
    body: JSON.stringify({ ...input, vectors: encoded }),
    headers: { 'content-type': 'application/json' },
  };
}

/**
 * Waits for the first chunk before the request starts. fetch sends the headers together with the
 * first chunk of the body, and servers close connections without headers after a timeout. Without
 * this, a document whose first passage takes longer could never be stored.
 */
async function withFirstChunk(
  chunks: AsyncGenerator<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array>> {
  const first = await chunks.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* chunks;
  })();
}

async function* linesOf(
  passages: AsyncIterable<EmbeddedPassage>,
  lastFacts: DocumentMetadata['lastFacts'],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let count = 0;
  let text = '';
  for await (const { vector, ...rest } of passages) {
    count += 1;
    text += `${JSON.stringify({ ...rest, vector: encodeVector(vector) })}\n`;
    if (text.length < chunkUnits) continue;
    yield encoder.encode(text);
    text = '';
  }
  const facts = await lastFacts?.();
  yield encoder.encode(
    `${text}${JSON.stringify({ end: true, passages: count, ...(facts ? { facts } : {}) })}\n`,
  );
}

/** A stream that reads passages no faster than the connection sends them. */
const streamOf = (chunks: AsyncGenerator<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });

const clientErrorCodes: readonly ErrorCode[] = [
  'BAD_INPUT',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'STORAGE_FULL',
];

function toAppError(
  status: number,
  { message }: z.output<typeof refusal> = { message: 'The vector database failed' },
): Error {
  if (status === 404) return notFound(message.replace(/ not found$/, ''));
  const code = clientErrorCodes.find((candidate) => errorCatalogue[candidate].status === status);
  if (status === errorCatalogue.UNAUTHENTICATED.status)
    return new AppError('UNAVAILABLE', 'The vector database rejects the calls of this vault');
  return code
    ? new AppError(code, message, undefined)
    : new AppError('UNAVAILABLE', 'The vector database could not do this');
}
