import type { z } from 'zod';
import {
  collectionsAnswer,
  documentAnswer,
  documentsAnswer,
  extractAnswer,
  ingestedAnswer,
  passagesAnswer,
  removedAnswer,
  removedCollectionAnswer,
  searchAnswer,
  stageAnswer,
} from './client-answers.ts';
import { connectTo, unreachable, type VaultRequest } from './client-connection.ts';
import { bodyOf, faultOf, parsed, readAnswer, undefinedIfNotFound } from './client-reading.ts';
import { createWatchCalls } from './client-watch.ts';
import { pathOf } from './names.ts';
import type { TextRange } from './passage.ts';
import { queryOf } from './query.ts';
import { readEvents } from './read-events.ts';

export { explainVaultFault, VaultRefusal } from './client-reading.ts';
export type { ExtractFault } from './extract/extract-error.ts';
export type { NoticeCode } from './extract/notices.ts';

export type VaultClient = ReturnType<typeof createVaultClient>;
export type IngestedDocument = z.output<typeof ingestedAnswer>;
export type IngestStage = z.output<typeof stageAnswer>;

type DocumentInput = { collection: string; document: string; signal?: AbortSignal | undefined };
type PageInput = { after?: string; limit?: number; signal?: AbortSignal };
/**
 * `bytes`: the size of the body, if known. `tenant`: the owner of the file; the vault shares its
 * readers fairly between tenants.
 */
type UploadInput = {
  body: AsyncIterable<Uint8Array>;
  bytes?: number;
  tenant?: string;
  signal?: AbortSignal | undefined;
};
/**
 * `passagesMax`: a document with more passages is rejected with QUOTA_EXCEEDED and not stored.
 */
type IngestInput = DocumentInput &
  UploadInput & {
    fileName?: string;
    passagesMax?: number;
    replaces?: string | undefined;
    onStage?: (stage: IngestStage) => void;
  };
type SearchInput = {
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
 * During an ingestion the vault sends an event or a keep-alive line every few seconds. An extraction
 * sends nothing before its result.
 */
const ingestIdleTimeoutMs = 120_000;
const extractIdleTimeoutMs = 600_000;

/**
 * The API's client of a vault in this process or elsewhere. Calls that the vault rejects throw an
 * AppError; a vault that does not answer throws UNAVAILABLE.
 */
export function createVaultClient({ url, secret }: { url: string; secret: string }) {
  const { exchange, close } = connectTo({ url, secret });

  async function call<Schema extends z.ZodType>(
    request: VaultRequest,
    schema: Schema,
    statuses: readonly number[] = [200],
  ): Promise<z.output<Schema>> {
    const answer = await exchange(request);
    return readAnswer(answer, request.signal, async () =>
      parsed(schema, await bodyOf(answer, statuses)),
    );
  }

  return {
    /**
     * Resolves when the document is searchable. `onStage` reports progress after the vault has
     * received the whole file.
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
    }: IngestInput): Promise<IngestedDocument> {
      const headers = {
        accept: 'text/event-stream',
        ...uploadHeaders(bytes, tenant),
        ...(fileName === undefined
          ? {}
          : { 'x-file-name': encodeURIComponent(fileName.toWellFormed()) }),
      };
      const answer = await exchange({
        method: 'PUT',
        path: pathOf(collection, document) + queryOf({ replaces, passagesMax }),
        headers,
        body,
        signal,
        idleTimeoutMs: ingestIdleTimeoutMs,
      });
      return readAnswer(answer, signal, async () => {
        if (!answer.isStream) return parsed(ingestedAnswer, await bodyOf(answer, [200]));
        for await (const { name, data } of readEvents(answer.bytes)) {
          if (name === 'stage') onStage?.(parsed(stageAnswer, data));
          if (name === 'done') return parsed(ingestedAnswer, data);
          if (name === 'failed') throw faultOf(data);
        }
        throw unreachable();
      });
    },

    remove: ({ collection, document, signal }: DocumentInput) =>
      call({ method: 'DELETE', path: pathOf(collection, document), signal }, removedAnswer),

    removeCollection: ({ collection, signal }: Omit<DocumentInput, 'document'>) =>
      call({ method: 'DELETE', path: pathOf(collection), signal }, removedCollectionAnswer),

    /** Matching passages, best first. A collection that does not exist has no matches. */
    async search({
      collection,
      signal,
      ...input
    }: SearchInput): Promise<z.output<typeof searchAnswer>> {
      const answer = call(
        { method: 'POST', path: `${pathOf(collection)}/search`, json: input, signal },
        searchAnswer,
      );
      return (
        (await undefinedIfNotFound(answer)) ?? {
          passages: [],
          duplicatesRemoved: 0,
          tookMs: 0,
          notes: [],
        }
      );
    },

    /**
     * Extracts the text of a file without storing it. Files of one `batch` must come from the same
     * sender, because the same process may read them one after another.
     */
    extract({
      body,
      bytes,
      tenant,
      batch,
      charactersMax,
      signal,
    }: UploadInput & { batch?: string | undefined; charactersMax?: number }) {
      const headers = {
        ...uploadHeaders(bytes, tenant),
        ...(batch === undefined ? {} : { 'x-batch': batch }),
      };
      return call(
        {
          method: 'POST',
          path: `/v1/extract${queryOf({ charactersMax })}`,
          headers,
          body,
          signal,
          idleTimeoutMs: extractIdleTimeoutMs,
        },
        extractAnswer,
      );
    },

    /** The metadata of a document; undefined if it does not exist. */
    document: ({ collection, document, signal }: DocumentInput) =>
      undefinedIfNotFound(
        call({ method: 'GET', path: pathOf(collection, document), signal }, documentAnswer),
      ),

    documents: ({ collection, after, limit = 100, signal }: PageInput & { collection: string }) =>
      call(
        {
          method: 'GET',
          path: `${pathOf(collection)}/documents${queryOf({ limit, after })}`,
          signal,
        },
        documentsAnswer,
      ),

    collections: ({ after, limit = 100, signal }: PageInput = {}) =>
      call(
        { method: 'GET', path: `/v1/collections${queryOf({ limit, after })}`, signal },
        collectionsAnswer,
      ),

    async passages({
      collection,
      document,
      from = 0,
      limit = 100,
      signal,
    }: DocumentInput & { from?: number; limit?: number }) {
      const path = `${pathOf(collection, document)}/passages?from=${from}&limit=${limit}`;
      return (await call({ method: 'GET', path, signal }, passagesAnswer)).passages;
    },

    /**
     * The passages that overlap this range of the document's text, in order; undefined if the
     * document does not exist.
     */
    async passagesWithin({ collection, document, start, end, signal }: DocumentInput & TextRange) {
      const path = `${pathOf(collection, document)}/passages?start=${start}&end=${end}`;
      return (await undefinedIfNotFound(call({ method: 'GET', path, signal }, passagesAnswer)))
        ?.passages;
    },

    /** Whether the vault and its vector database answer. */
    async isHealthy(): Promise<boolean> {
      const answer = await exchange({ method: 'GET', path: '/health', idleTimeoutMs: 5_000 }).catch(
        () => undefined,
      );
      await answer?.bytes[Symbol.asyncIterator]().return?.();
      return answer?.status === 200;
    },

    ...createWatchCalls({ call, undefinedIfNotFound }),

    close,
  };
}

const uploadHeaders = (
  bytes: number | undefined,
  tenant: string | undefined,
): Record<string, string> => ({
  'content-type': 'application/octet-stream',
  ...(tenant === undefined ? {} : { 'x-tenant': tenant }),
  ...(bytes === undefined ? {} : { 'content-length': String(bytes) }),
});
