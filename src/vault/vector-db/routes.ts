import { z } from 'zod';
import { bodyChunks } from '../../http/content-coding.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { requireName } from '../names.ts';
import { numberIn, textRangeIn } from '../query.ts';
import { jsonRoute, type VaultRoute } from '../route.ts';
import { readSignedJson } from '../signature.ts';
import { type DocumentRecord, documentIn } from './catalog.ts';
import { encodeVector } from './encode-vector.ts';
import type { PassageStore } from './passage-store.ts';
import { readBody } from './read-body.ts';
import { readQuery } from './search-input.ts';
import { withTextsOfBest } from './texts-of-best.ts';

const bodyBytesMax = 64 * 1024 ** 3;
/** Long, because a slow model causes long gaps. The vault enforces its own time limits. */
const bodyTimeoutMs = 3_600_000;
const factsUnitsMax = 4_096;
const limitBounds = { defaultValue: 100, min: 1, max: 1_000 };
const collectionPath = '/v1/collections/:collection';
const documentPath = `${collectionPath}/documents/:document`;

export function vectorDbRoutes(store: PassageStore): VaultRoute[] {
  return [
    jsonRoute('PUT', documentPath, 'putDocument', async ({ request, query, params }) => {
      const { collection, document } = namesOf(params);
      const replaces = query.get('replaces') ?? undefined;
      if (replaces !== undefined) requireName(replaces, 'replaces');
      const type = request.headers.get('content-type') ?? '';
      if (!/^application\/x-ndjson\b/i.test(type))
        throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/x-ndjson');
      const writing = {
        collection,
        document,
        replaces,
        ifGeneration: ifGenerationIn(request.headers),
        ...documentMetadataIn(request.headers),
      };
      const body = bodyChunks(request, { bytesMax: bodyBytesMax, patienceMs: bodyTimeoutMs });
      const { passages } = await store.put(writing, readBody(body));
      return { collection, document, passages };
    }),
    jsonRoute('GET', documentPath, 'getDocument', ({ params }) => {
      const { collection, document } = namesOf(params);
      return toAnswer(documentIn(store.collections, collection, document));
    }),
    jsonRoute('DELETE', documentPath, 'deleteDocument', async ({ params }) => {
      const { collection, document } = namesOf(params);
      const [removed] = await store.remove(collection, [document]);
      return { document, existed: removed !== undefined, passages: removed?.passages ?? 0 };
    }),
    jsonRoute('GET', `${documentPath}/passages`, 'listPassages', async ({ query, params }) => {
      const { collection, document } = namesOf(params);
      const range = textRangeIn(query) ?? {
        from: numberIn(query, 'from', { defaultValue: 0, min: 0, max: 2_000_000 }),
        limit: numberIn(query, 'limit', limitBounds),
      };
      const result = await store.passages(collection, document, range);
      const passages = result.map(({ vector, ...passage }) =>
        query.get('vectors') === 'true' ? { ...passage, vector: encodeVector(vector) } : passage,
      );
      return { document, passages };
    }),
    jsonRoute('GET', `${collectionPath}/documents`, 'listDocuments', ({ query, params }) => {
      const state = store.collections.get(collectionOf(params));
      if (!state) throw notFound('Collection');
      const { names, next } = pageOf([...state.documents.keys()], query);
      const documents = names.flatMap((name) => state.documents.get(name) ?? []).map(toAnswer);
      return { documents, next };
    }),
    jsonRoute('GET', '/v1/collections', 'listCollections', ({ query }) => {
      const { names, next } = pageOf([...store.collections.keys()], query);
      const collections = names.map((collection) => {
        const state = store.collections.get(collection);
        const partitions = [...(state?.partitions.values() ?? [])];
        const embeddings = [...new Set(partitions.map(({ embedding }) => embedding))].sort();
        const documents = state?.documents.size ?? 0;
        return { collection, documents, passages: sum(partitions), embeddings };
      });
      return { collections, next };
    }),
    jsonRoute('DELETE', collectionPath, 'deleteCollection', async ({ params }) => {
      const removed = await store.remove(collectionOf(params));
      return { documents: removed.length, passages: sum(removed) };
    }),
    jsonRoute('POST', `${collectionPath}/search`, 'search', async ({ request, params }) => {
      const collection = collectionOf(params);
      const { query, best } = readQuery(await readSignedJson(request));
      const hits = await store.search(collection, query);
      return best ? withTextsOfBest(hits, best) : hits;
    }),
  ];
}

type PathParams = Readonly<Record<string, string>>;

const collectionOf = (params: PathParams) => requireName(params['collection'], 'collection');
const namesOf = (params: PathParams) => ({
  collection: collectionOf(params),
  document: requireName(params['document'], 'document'),
});

const toAnswer = ({
  document,
  hash,
  embedding,
  passages,
  updatedAt,
  facts,
  written,
}: DocumentRecord) => ({
  document,
  hash,
  embedding,
  passages,
  updatedAt,
  facts,
  generation: written,
});
const sum = (items: readonly { passages: number }[]) =>
  items.reduce((sum, { passages }) => sum + passages, 0);

function documentMetadataIn(headers: Headers) {
  const hash = headers.get('x-document-hash') ?? '';
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw new AppError('BAD_INPUT', 'X-Document-Hash must be a SHA-256 in hexadecimal');
  const embedding = headers.get('x-embedding') ?? '';
  if (!/^[\x21-\x7e]{1,128}$/.test(embedding))
    throw new AppError('BAD_INPUT', 'X-Embedding must be 1 to 128 printable ASCII characters');
  return { hash, embedding, facts: factsIn(headers.get('x-document-facts')) };
}

function ifGenerationIn(headers: Headers): number | undefined {
  const header = headers.get('if-match');
  if (header === null) return undefined;
  const [, generation] = /^"(\d{1,16})"$/.exec(header) ?? [];
  if (generation === undefined)
    throw new AppError(
      'BAD_INPUT',
      'If-Match must be the generation of the document in quotation marks',
    );
  return Number(generation);
}

const factsObject = z.record(z.string(), z.unknown());

function factsIn(header: string | null): Record<string, unknown> {
  if (header === null) return {};
  try {
    const text = decodeURIComponent(header);
    if (text.length <= factsUnitsMax) return factsObject.parse(JSON.parse(text));
  } catch {
    // All three faults (encoding, JSON, not an object) have the same answer, below.
  }
  throw new AppError(
    'BAD_INPUT',
    `X-Document-Facts must be a percent-encoded JSON object of at most ${factsUnitsMax} characters`,
  );
}

function pageOf(
  allNames: string[],
  query: URLSearchParams,
): { names: string[]; next: string | null } {
  const after = query.get('after');
  if (after !== null) requireName(after, 'after');
  const limit = numberIn(query, 'limit', limitBounds);
  const remainingNames = allNames.filter((name) => after === null || name > after).sort();
  const names = remainingNames.slice(0, limit);
  return { names, next: remainingNames.length > limit ? (names.at(-1) ?? null) : null };
}
