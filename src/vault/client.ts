import type { z } from 'zod';
import { AppError, type ErrorCode, errorCatalogue } from '../platform/errors.ts';
import {
  collectionsAnswer,
  documentAnswer,
  documentsAnswer,
  errorAnswer,
  extractAnswer,
  ingestedAnswer,
  passagesAnswer,
  removedAnswer,
  removedCollectionAnswer,
  searchAnswer,
  stageAnswer,
} from './client-answers.ts';
import { connectTo, outOfReach, type VaultAnswer, type VaultRequest } from './client-connection.ts';
import { createWatchCalls } from './client-watch.ts';
import { extractFaults } from './extract/extract-error.ts';
import type { TextStretch } from './passage.ts';
import { readEvents } from './server-sent-events.ts';

export type VaultClient = ReturnType<typeof createVaultClient>;
export type Ingested = z.output<typeof ingestedAnswer>;
export type IngestStage = z.output<typeof stageAnswer>;

type Place = { collection: string; document: string; signal?: AbortSignal | undefined };
/**
 * `bytes`: how many there are, where that is known. `tenant`: whose file it is; the vault shares
 * its readers fairly between tenants.
 */
type Upload = {
  body: AsyncIterable<Uint8Array>;
  bytes?: number;
  tenant?: string;
  signal?: AbortSignal | undefined;
};
/**
 * `passagesMax`: a document with more is refused as QUOTA_EXCEEDED, and nothing of it is stored.
 */
type Ingest = Place &
  Upload & {
    fileName?: string;
    passagesMax?: number;
    replaces?: string | undefined;
    onStage?: (stage: IngestStage) => void;
  };
type Search = {
  collection: string;
  query: string;
  limit?: number;
  offset?: number;
  documents?: readonly string[];
  mode?: 'hybrid' | 'keyword' | 'vector';
  rerank?: boolean;
  explain?: boolean;
  signal?: AbortSignal | undefined;
};

/**
 * A document that the vault can not read: `reason` is for programs, the message for the person who
 * sent it.
 */
export class VaultRefusal extends AppError {
  declare readonly reason: string;

  constructor(reason: string, message: string) {
    super('UNREADABLE_DOCUMENT', message, reason);
  }
}

const answerBytesMax = 32 * 1024 * 1024;
/**
 * While it works on a file the vault says something every few seconds; an extraction says nothing
 * before its end.
 */
const ingestSilenceMs = 120_000;
const extractSilenceMs = 600_000;

/**
 * How the API speaks to a vault, wherever that runs. What the vault refuses comes as an AppError;
 * UNAVAILABLE when it is not there.
 */
export function createVaultClient({ url, secret }: { url: string; secret: string }) {
  const { exchange, close } = connectTo({ url, secret });

  async function call<Schema extends z.ZodType>(
    request: VaultRequest,
    schema: Schema,
    statuses: readonly number[] = [200],
  ): Promise<z.output<Schema>> {
    const answer = await exchange(request);
    return settled(answer, request.signal, async () =>
      parsed(schema, await bodyOf(answer, statuses)),
    );
  }

  return {
    /**
     * Ends when the document can be found. Once the vault has the whole file, `onStage` hears what
     * it does with it.
     */
    async ingest({
      collection,
      document,
      body,
      bytes,
      tenant,
      fileName,
      passagesMax,
      replaces,
      onStage,
      signal,
    }: Ingest): Promise<Ingested> {
      const headers = {
        accept: 'text/event-stream',
        ...uploadHeaders(bytes, tenant),
        ...(fileName === undefined
          ? {}
          : { 'x-file-name': encodeURIComponent(fileName.toWellFormed()) }),
      };
      const query = new URLSearchParams({
        ...(replaces === undefined ? {} : { replaces }),
        ...(passagesMax === undefined ? {} : { passagesMax: String(passagesMax) }),
      });
      const answer = await exchange({
        method: 'PUT',
        path: `${pathOf(collection, document)}?${query}`,
        headers,
        body,
        signal,
        silenceMs: ingestSilenceMs,
      });
      return settled(answer, signal, async () => {
        if (!answer.isStream) return parsed(ingestedAnswer, await bodyOf(answer, [200]));
        for await (const { name, data } of readEvents(answer.bytes)) {
          if (name === 'stage') onStage?.(parsed(stageAnswer, data));
          if (name === 'done') return parsed(ingestedAnswer, data);
          if (name === 'failed') throw faultOf(undefined, data);
        }
        throw outOfReach();
      });
    },

    remove: ({ collection, document, signal }: Place) =>
      call({ method: 'DELETE', path: pathOf(collection, document), signal }, removedAnswer),

    removeCollection: ({ collection, signal }: Omit<Place, 'document'>) =>
      call({ method: 'DELETE', path: pathOf(collection), signal }, removedCollectionAnswer),

    /** What fits the query, best first. A collection that is not there holds nothing that fits. */
    async search({
      collection,
      signal,
      ...question
    }: Search): Promise<z.output<typeof searchAnswer>> {
      const found = call(
        { method: 'POST', path: `${pathOf(collection)}/search`, json: question, signal },
        searchAnswer,
      );
      return (
        (await unlessMissing(found)) ?? { passages: [], duplicatesRemoved: 0, tookMs: 0, notes: [] }
      );
    },

    /**
     * The text of a file, which is not kept. Files of one `batch` must come from one sender: they
     * may be read by one process, one after another.
     */
    extract({
      body,
      bytes,
      tenant,
      batch,
      charactersMax,
      signal,
    }: Upload & { batch?: string | undefined; charactersMax?: number }) {
      const query = charactersMax === undefined ? '' : `?charactersMax=${charactersMax}`;
      const headers = {
        ...uploadHeaders(bytes, tenant),
        ...(batch === undefined ? {} : { 'x-batch': batch }),
      };
      return call(
        {
          method: 'POST',
          path: `/v1/extract${query}`,
          headers,
          body,
          signal,
          silenceMs: extractSilenceMs,
        },
        extractAnswer,
      );
    },

    /** What the vault keeps of a document; undefined where it has none of this name. */
    document: ({ collection, document, signal }: Place) =>
      unlessMissing(
        call({ method: 'GET', path: pathOf(collection, document), signal }, documentAnswer),
      ),

    documents({
      collection,
      after,
      limit = 100,
      signal,
    }: {
      collection: string;
      after?: string;
      limit?: number;
      signal?: AbortSignal;
    }) {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(after === undefined ? {} : { after }),
      });
      return call(
        { method: 'GET', path: `${pathOf(collection)}/documents?${query}`, signal },
        documentsAnswer,
      );
    },

    collections({
      after,
      limit = 100,
      signal,
    }: {
      after?: string;
      limit?: number;
      signal?: AbortSignal;
    } = {}) {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(after === undefined ? {} : { after }),
      });
      return call({ method: 'GET', path: `/v1/collections?${query}`, signal }, collectionsAnswer);
    },

    async passages({
      collection,
      document,
      from = 0,
      limit = 100,
      signal,
    }: Place & { from?: number; limit?: number }) {
      const path = `${pathOf(collection, document)}/passages?from=${from}&limit=${limit}`;
      return (await call({ method: 'GET', path, signal }, passagesAnswer)).passages;
    },

    /**
     * The passages that hold something of this stretch of the document's text, in order; undefined
     * where there is no such document.
     */
    async passagesWithin({ collection, document, start, end, signal }: Place & TextStretch) {
      const path = `${pathOf(collection, document)}/passages?start=${start}&end=${end}`;
      return (await unlessMissing(call({ method: 'GET', path, signal }, passagesAnswer)))?.passages;
    },

    /** Whether the vault and its vector database are there. */
    async isHealthy(): Promise<boolean> {
      const answer = await exchange({ method: 'GET', path: '/health', silenceMs: 5_000 }).catch(
        () => undefined,
      );
      await answer?.bytes[Symbol.asyncIterator]().return?.();
      return answer?.status === 200;
    },

    ...createWatchCalls({ call, unlessMissing }),

    close,
  };
}

const pathOf = (collection: string, document?: string): string =>
  `/v1/collections/${encodeURIComponent(collection)}${document === undefined ? '' : `/documents/${encodeURIComponent(document)}`}`;

const uploadHeaders = (
  bytes: number | undefined,
  tenant: string | undefined,
): Record<string, string> => ({
  'content-type': 'application/octet-stream',
  ...(tenant === undefined ? {} : { 'x-tenant': tenant }),
  ...(bytes === undefined ? {} : { 'content-length': String(bytes) }),
});

/** Reads an answer to its end, or ends it. */
async function settled<Result>(
  answer: VaultAnswer,
  signal: AbortSignal | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    answer.end();
    signal?.throwIfAborted();
    throw error instanceof AppError ? error : outOfReach();
  }
}

async function bodyOf(answer: VaultAnswer, statuses: readonly number[]): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.bytes) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (statuses.includes(answer.status)) return body;
  throw faultOf(answer.status, body);
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return schema.parse(body);
}

/** Refusals that are about what was sent. All others are the vault's own matter. */
const handedOn: readonly ErrorCode[] = [
  'BAD_INPUT',
  'NOT_FOUND',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'STORAGE_FULL',
];

function faultOf(status: number | undefined, body: unknown): AppError {
  const { message, code } = parsed(errorAnswer, body);
  if (code !== undefined && (status === 422 || Object.hasOwn(extractFaults, code)))
    return new VaultRefusal(code, message);
  const known = handedOn.find(
    (candidate) => candidate === code || errorCatalogue[candidate].status === status,
  );
  return known
    ? new AppError(known, message)
    : new AppError('UNAVAILABLE', 'The vault can not do this now');
}

async function unlessMissing<Result>(found: Promise<Result>): Promise<Result | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
