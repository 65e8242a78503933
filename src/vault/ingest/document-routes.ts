import { AppError } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { Log } from '../../platform/log.ts';
import { jsonAnswer } from '../answer.ts';
import type { VaultConfig } from '../config.ts';
import type { Embedder } from '../embed/embedder.ts';
import { readDocumentText } from '../extract/read-document.ts';
import type { Sandbox } from '../extract/sandbox.ts';
import type { ReadLimits } from '../extract/worker-messages.ts';
import { requireName } from '../names.ts';
import type { Route } from '../route.ts';
import { textRangeIn } from '../text-range.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { ingestDocument } from './ingest-document.ts';
import { answerUpload, tenantHeader } from './upload.ts';
import { sourceOf, type WorkDirectory } from './work-directory.ts';

/**
 * Files that may wait besides those that are worked on; each lies in the work directory meanwhile.
 */
const waitingMax = 64;
const waitingPerTenantMax = 32;
const passagesMaxOfAny = 10_000_000;

type Parts = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  work: WorkDirectory;
  extraction: VaultConfig['extraction'];
  sandbox: Sandbox;
  log: Log;
};

/** The calls that bring documents, read them and take them away. */
export function documentRoutes({
  vectorDb,
  embedder,
  work,
  extraction,
  sandbox,
  log,
}: Parts): Route[] {
  const ingestQueue = queueOfReaders(extraction.workers);
  // Somebody waits for what a file says: not behind documents, which may take minutes each.
  const extractQueue = queueOfReaders(extraction.workers);
  const exclusively = createKeyedMutex();
  const limits = limitsOf(extraction);
  const collectionPath = '/v1/collections/:collection';
  const documentPath = `${collectionPath}/documents/:document`;

  return [
    {
      method: 'PUT',
      path: documentPath,
      operation: 'ingestDocument',
      answer: (request, requestContext, params) => {
        const { collection, document } = namesOf(params);
        const given = requestContext.query.get('replaces');
        const replaces =
          given === null || given === document ? undefined : requireName(given, 'replaces');
        const fileName = fileNameOf(request);
        const passagesMax = countOf(requestContext.query, 'passagesMax', {
          usual: passagesMaxOfAny,
          min: 0,
          max: passagesMaxOfAny,
        });
        return answerUpload(
          request,
          requestContext,
          { work, queue: ingestQueue, log },
          (file, signal, tell) =>
            exclusively(`${collection}/${document}`, () => {
              signal.throwIfAborted();
              const onStage = (stage: object) => tell({ name: 'stage', data: stage });
              return ingestDocument(
                { collection, document, file, fileName, replaces, passagesMax, onStage, signal },
                { vectorDb, embedder, limits, sandbox, log },
              );
            }),
        );
      },
    },
    {
      method: 'POST',
      path: '/v1/extract',
      operation: 'extractText',
      answer: (request, requestContext) => {
        const unitsMax = countOf(requestContext.query, 'charactersMax', {
          usual: 200_000,
          min: 1,
          max: 2_000_000,
        });
        const batch = batchOf(request);
        return answerUpload(
          request,
          requestContext,
          { work, queue: extractQueue, log },
          async (file, signal) => {
            const source = sourceOf(file);
            const { mimeType, pages, truncated, text, pageStarts } = await readDocumentText({
              sandbox,
              source,
              batch,
              limits,
              unitsMax,
              signal,
              log,
            });
            return {
              status: 'success',
              mimeType,
              pages,
              characters: text.length,
              truncated,
              text,
              pageStarts,
            };
          },
        );
      },
    },
    {
      method: 'DELETE',
      path: documentPath,
      operation: 'removeDocument',
      answer: async (_, { headers }, params) => {
        const { collection, document } = namesOf(params);
        return jsonAnswer(
          200,
          { status: 'success', ...(await vectorDb.remove(collection, document)) },
          headers,
        );
      },
    },
    {
      method: 'DELETE',
      path: collectionPath,
      operation: 'removeCollection',
      answer: async (_, { headers }, params) =>
        jsonAnswer(
          200,
          {
            status: 'success',
            ...(await vectorDb.removeCollection(requireName(params['collection'], 'collection'))),
          },
          headers,
        ),
    },
    {
      method: 'GET',
      path: '/v1/collections',
      operation: 'listCollections',
      answer: async (_, { headers, query }) =>
        jsonAnswer(
          200,
          { status: 'success', ...(await vectorDb.collections(pageOf(query))) },
          headers,
        ),
    },
    {
      method: 'GET',
      path: `${collectionPath}/documents`,
      operation: 'listDocuments',
      answer: async (_, { headers, query }, params) => {
        const collection = requireName(params['collection'], 'collection');
        return jsonAnswer(
          200,
          { status: 'success', ...(await vectorDb.documents(collection, pageOf(query))) },
          headers,
        );
      },
    },
    {
      method: 'GET',
      path: documentPath,
      operation: 'readDocument',
      answer: async (_, { headers }, params) => {
        const { collection, document } = namesOf(params);
        const found = await vectorDb.document(collection, document);
        if (!found) throw new AppError('NOT_FOUND', 'Document not found');
        return jsonAnswer(200, { status: 'success', ...found }, headers);
      },
    },
    {
      method: 'GET',
      path: `${documentPath}/passages`,
      operation: 'listPassages',
      answer: async (_, { headers, query }, params) => {
        const { collection, document } = namesOf(params);
        const asked = textRangeIn(query) ?? {
          from: countOf(query, 'from', { usual: 0, min: 0, max: 10_000_000 }),
          limit: countOf(query, 'limit', { usual: 100, min: 1, max: 1_000 }),
        };
        return jsonAnswer(
          200,
          { status: 'success', ...(await vectorDb.passages(collection, document, asked)) },
          headers,
        );
      },
    },
  ];
}

/**
 * One tenant gets all readers but one, so that its slow documents never keep another tenant's first
 * document waiting.
 */
const queueOfReaders = (readers: number) =>
  createFairQueue({
    concurrencyMax: readers,
    concurrencyPerTenantMax: Math.max(1, readers - 1),
    waitingMax,
    waitingPerTenantMax,
    refusal: () =>
      new AppError('UNAVAILABLE', 'Too many files are waiting to be read; send it again later'),
  });

const limitsOf = ({
  unpackedMb,
  partsMax,
  pagesMax,
  textMb,
  passagesMax,
  timeSeconds,
  memoryMb,
}: VaultConfig['extraction']): ReadLimits => ({
  unpackedBytesMax: unpackedMb * 1_048_576,
  partsMax,
  pagesMax,
  textUnitsMax: textMb * 1_048_576,
  passagesMax,
  busyMsMax: timeSeconds * 1000,
  heapMegabytesMax: memoryMb,
});

const namesOf = (params: Readonly<Record<string, string>>) => ({
  collection: requireName(params['collection'], 'collection'),
  document: requireName(params['document'], 'document'),
});

function pageOf(query: URLSearchParams): { after?: string; limit: number } {
  const limit = countOf(query, 'limit', { usual: 100, min: 1, max: 1_000 });
  const after = query.get('after');
  return after === null ? { limit } : { limit, after };
}

function countOf(
  query: URLSearchParams,
  name: string,
  { usual, min, max }: { usual: number; min: number; max: number },
): number {
  const given = query.get(name);
  if (given === null) return usual;
  const count = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (!(count >= min && count <= max))
    throw new AppError('BAD_INPUT', `${name}: must be a whole number from ${min} to ${max}`);
  return count;
}

/**
 * The API names files in this header that came with one request. No name of one tenant is a name of
 * another's.
 */
function batchOf({ headers }: Request): string | undefined {
  const given = headers.get('x-batch');
  if (given === null) return undefined;
  if (!/^[\w-]{16,64}$/.test(given))
    throw new AppError('BAD_INPUT', 'X-Batch: must be 16 to 64 letters, digits, _ or -');
  return JSON.stringify([headers.get(tenantHeader) ?? '', given]);
}

/** Only kept and given back. Of a path its last part counts, so that nobody takes it for one. */
function fileNameOf(request: Request): string | undefined {
  const given = request.headers.get('x-file-name');
  if (given === null) return undefined;
  let name: string;
  try {
    name = decodeURIComponent(given);
  } catch {
    throw new AppError('BAD_INPUT', 'X-File-Name: must be percent-encoded UTF-8');
  }
  const last = name.split(/[/\\]/).at(-1) ?? '';
  if (last.length > 255 || /\p{Cc}/u.test(last))
    throw new AppError(
      'BAD_INPUT',
      'X-File-Name: must be at most 255 characters, without control characters',
    );
  return last === '' ? undefined : last;
}
