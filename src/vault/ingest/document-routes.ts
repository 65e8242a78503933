import { AppError } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { Log } from '../../platform/log.ts';
import type { VaultConfig } from '../config.ts';
import type { Embedder } from '../embed/embedding.ts';
import { readDocumentText } from '../extract/read-document.ts';
import type { Sandbox } from '../extract/sandbox.ts';
import type { ReadLimits } from '../extract/worker-messages.ts';
import { requireName } from '../names.ts';
import { numberIn, textRangeIn } from '../query.ts';
import { jsonRoute, type VaultRoute } from '../route.ts';
import type { VectorDbClient } from '../vector-db/client.ts';
import { ingestDocument } from './ingest-document.ts';
import { answerUpload, tenantOf } from './upload.ts';
import { sourceOf, type WorkDirectory } from './work-directory.ts';

/**
 * The number of files that may wait in addition to those being read. Waiting files are stored in the
 * work directory.
 */
const waitingMax = 64;
const waitingPerTenantMax = 32;
/**
 * A person waits for the text of a file, and the API waits ten minutes, so fewer pages are recognized
 * for it.
 */
const recognitionMsMaxOfText = 120_000;
const passagesMaxDefault = 10_000_000;

type DocumentRoutesDependencies = {
  vectorDb: VectorDbClient;
  embedder: Embedder;
  workDirectory: WorkDirectory;
  extraction: VaultConfig['extraction'];
  sandbox: Sandbox;
  log: Log;
};

/** The routes that store, read and remove documents. */
export function documentRoutes({
  vectorDb,
  embedder,
  workDirectory,
  extraction,
  sandbox,
  log,
}: DocumentRoutesDependencies): VaultRoute[] {
  const ingestQueue = createReaderQueue(extraction.workers);
  // A separate queue, because a person waits for extracted text and documents take minutes each.
  const extractQueue = createReaderQueue(extraction.workers);
  const withDocumentLock = createKeyedMutex();
  const limits = limitsOf(extraction);
  const { recognition } = limits;
  const limitsOfText: ReadLimits = {
    ...limits,
    recognition: recognition && {
      ...recognition,
      msMax: Math.min(recognition.msMax, recognitionMsMaxOfText),
    },
  };
  const collectionPath = '/v1/collections/:collection';
  const documentPath = `${collectionPath}/documents/:document`;

  return [
    {
      method: 'PUT',
      path: documentPath,
      operation: 'ingestDocument',
      answer: (request, requestContext, params) => {
        const { collection, document } = namesOf(params);
        const value = requestContext.query.get('replaces');
        const replaces =
          value === null || value === document ? undefined : requireName(value, 'replaces:');
        const fileName = fileNameOf(request);
        const passagesMax = countIn(requestContext.query, 'passagesMax', {
          defaultValue: passagesMaxDefault,
          min: 0,
          max: passagesMaxDefault,
        });
        return answerUpload(
          request,
          requestContext,
          { workDirectory, queue: ingestQueue, log },
          (file, signal, sendEvent) =>
            withDocumentLock(`${collection}/${document}`, () => {
              signal.throwIfAborted();
              const onStage = (stage: object) => sendEvent({ name: 'stage', data: stage });
              return ingestDocument(
                {
                  ...{ collection, document, file, fileName, replaces, passagesMax },
                  ...{ tenant: tenantOf(request), onStage, signal },
                },
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
        const unitsMax = countIn(requestContext.query, 'charactersMax', {
          defaultValue: 200_000,
          min: 1,
          max: 2_000_000,
        });
        const batch = batchOf(request);
        return answerUpload(
          request,
          requestContext,
          { workDirectory, queue: extractQueue, log },
          async (file, signal) => {
            const source = sourceOf(file);
            const { mimeType, pages, truncated, text, pageStarts } = await readDocumentText({
              sandbox,
              source,
              batch,
              tenant: tenantOf(request),
              limits: limitsOfText,
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
    jsonRoute('DELETE', documentPath, 'removeDocument', ({ params }) => {
      const { collection, document } = namesOf(params);
      return vectorDb.remove(collection, document);
    }),
    jsonRoute('DELETE', collectionPath, 'removeCollection', ({ params }) =>
      vectorDb.removeCollection(collectionOf(params)),
    ),
    jsonRoute('GET', '/v1/collections', 'listCollections', ({ query }) =>
      vectorDb.collections(pageOf(query)),
    ),
    jsonRoute('GET', `${collectionPath}/documents`, 'listDocuments', ({ query, params }) =>
      vectorDb.documents(collectionOf(params), pageOf(query)),
    ),
    jsonRoute('GET', documentPath, 'readDocument', async ({ params }) => {
      const { collection, document } = namesOf(params);
      const record = await vectorDb.document(collection, document);
      if (!record) throw new AppError('NOT_FOUND', 'Document not found');
      return record;
    }),
    jsonRoute('GET', `${documentPath}/passages`, 'listPassages', ({ query, params }) => {
      const { collection, document } = namesOf(params);
      const range = textRangeIn(query) ?? {
        from: countIn(query, 'from', { defaultValue: 0, min: 0, max: 10_000_000 }),
        limit: countIn(query, 'limit', limitBounds),
      };
      return vectorDb.passages(collection, document, range);
    }),
  ];
}

/**
 * One tenant can use all readers but one, so that its slow documents never delay the first document
 * of another tenant.
 */
const createReaderQueue = (readers: number) =>
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
  ocr,
  ocrPagesMax,
  ocrSeconds,
  ocrMegapixelsMax,
}: VaultConfig['extraction']): ReadLimits => ({
  unpackedBytesMax: unpackedMb * 1_048_576,
  partsMax,
  pagesMax,
  textUnitsMax: textMb * 1_048_576,
  passagesMax,
  busyMsMax: timeSeconds * 1000,
  heapMegabytesMax: memoryMb,
  recognition: ocr
    ? {
        pagesMax: ocrPagesMax,
        msMax: ocrSeconds * 1_000,
        pixelsMax: ocrMegapixelsMax * 1_000_000,
      }
    : undefined,
});

type PathParams = Readonly<Record<string, string>>;

const collectionOf = (params: PathParams) => requireName(params['collection'], 'collection:');
const namesOf = (params: PathParams) => ({
  collection: collectionOf(params),
  document: requireName(params['document'], 'document:'),
});

const limitBounds = { defaultValue: 100, min: 1, max: 1_000 };
const countIn: typeof numberIn = (query, name, bounds) => numberIn(query, name, bounds, `${name}:`);

const pageOf = (query: URLSearchParams) => ({
  limit: countIn(query, 'limit', limitBounds),
  after: query.get('after') ?? undefined,
});

/**
 * The API sends this header with files that arrived in one request. The batch includes the tenant, so
 * that equal names of two tenants are different batches.
 */
function batchOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  const value = headers.get('x-batch');
  if (value === null) return undefined;
  if (!/^[\w-]{16,64}$/.test(value))
    throw new AppError('BAD_INPUT', 'X-Batch: must be 16 to 64 letters, digits, _ or -');
  return JSON.stringify([tenantOf({ headers }), value]);
}

/** The file name is stored only for display. Only the last segment of a path is kept. */
function fileNameOf(request: Request): string | undefined {
  const value = request.headers.get('x-file-name');
  if (value === null) return undefined;
  let name: string;
  try {
    name = decodeURIComponent(value);
  } catch {
    throw new AppError('BAD_INPUT', 'X-File-Name: must be percent-encoded UTF-8');
  }
  const baseName = name.split(/[/\\]/).at(-1) ?? '';
  if (baseName.length > 255 || /\p{Cc}/u.test(baseName))
    throw new AppError(
      'BAD_INPUT',
      'X-File-Name: must be at most 255 characters, without control characters',
    );
  return baseName === '' ? undefined : baseName;
}
