import { z } from 'zod';
import { readJsonObject } from '../../http/body.ts';
import { bodyChunks } from '../../http/content-coding.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { jsonAnswer } from '../answer.ts';
import type { VaultRoute } from '../route.ts';
import { textRangeIn } from '../text-range.ts';
import { readBody } from './read-body.ts';
import type { DocumentRecord } from './registry.ts';
import { search } from './search.ts';
import type { PassageStore } from './store.ts';
import { encodeVector } from './vector.ts';

const bodyBytesMax = 64 * 1024 ** 3;
/** Long, because a slow model causes long gaps. The vault enforces its own time limits. */
const bodyTimeoutMs = 3_600_000;
const factsUnitsMax = 4_096;
const documentPath = '/v1/collections/:collection/documents/:document';

export function vectorDbRoutes(store: PassageStore): VaultRoute[] {
  return [
    {
      method: 'PUT',
      path: documentPath,
      operation: 'putDocument',
      answer: async (request, { query, headers }, params) => {
        const [collection, document] = [nameIn(params, 'collection'), nameIn(params, 'document')];
        const replaces = query.get('replaces') ?? undefined;
        if (replaces !== undefined) checkName(replaces, 'replaces');
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
        return jsonAnswer(200, { status: 'success', collection, document, passages }, headers);
      },
    },
    {
      method: 'GET',
      path: documentPath,
      operation: 'getDocument',
      answer: (_, { headers }, params) => {
        const record = store.document(nameIn(params, 'collection'), nameIn(params, 'document'));
        return jsonAnswer(200, { status: 'success', ...toAnswer(record) }, headers);
      },
    },
    {
      method: 'DELETE',
      path: documentPath,
      operation: 'deleteDocument',
      answer: async (_, { headers }, params) => {
        const [collection, document] = [nameIn(params, 'collection'), nameIn(params, 'document')];
        const [removed] = await store.remove(collection, [document]);
        return jsonAnswer(
          200,
          {
            status: 'success',
            document,
            existed: removed !== undefined,
            passages: removed?.passages ?? 0,
          },
          headers,
        );
      },
    },
    {
      method: 'GET',
      path: `${documentPath}/passages`,
      operation: 'listPassages',
      answer: async (_, { query, headers }, params) => {
        const [collection, document] = [nameIn(params, 'collection'), nameIn(params, 'document')];
        const range = textRangeIn(query) ?? {
          from: numberIn(query, 'from', { defaultValue: 0, min: 0, max: 2_000_000 }),
          limit: numberIn(query, 'limit', { defaultValue: 100, min: 1, max: 1_000 }),
        };
        const result = await store.read(async () => {
          const record = store.document(collection, document);
          const table = await store.tableOf(record);
          return (await table?.passages(record.generation, range)) ?? [];
        });
        const passages = result.map(({ vector, ...passage }) =>
          query.get('vectors') === 'true' ? { ...passage, vector: encodeVector(vector) } : passage,
        );
        return jsonAnswer(200, { status: 'success', document, passages }, headers);
      },
    },
    {
      method: 'GET',
      path: '/v1/collections/:collection/documents',
      operation: 'listDocuments',
      answer: (_, { query, headers }, params) => {
        const state = store.collections.get(nameIn(params, 'collection'));
        if (!state) throw notFound('Collection');
        const { names, next } = pageOf([...state.documents.keys()], query);
        const documents = names.flatMap((name) => state.documents.get(name) ?? []).map(toAnswer);
        return jsonAnswer(200, { status: 'success', documents, next }, headers);
      },
    },
    {
      method: 'GET',
      path: '/v1/collections',
      operation: 'listCollections',
      answer: (_, { query, headers }) => {
        const { names, next } = pageOf([...store.collections.keys()], query);
        const collections = names.map((collection) => {
          const state = store.collections.get(collection);
          const partitions = [...(state?.partitions.values() ?? [])];
          const embeddings = [...new Set(partitions.map(({ embedding }) => embedding))].sort();
          return {
            collection,
            documents: state?.documents.size ?? 0,
            passages: sum(partitions),
            embeddings,
          };
        });
        return jsonAnswer(200, { status: 'success', collections, next }, headers);
      },
    },
    {
      method: 'DELETE',
      path: '/v1/collections/:collection',
      operation: 'deleteCollection',
      answer: async (_, { headers }, params) => {
        const removed = await store.remove(nameIn(params, 'collection'));
        return jsonAnswer(
          200,
          { status: 'success', documents: removed.length, passages: sum(removed) },
          headers,
        );
      },
    },
    {
      method: 'POST',
      path: '/v1/collections/:collection/search',
      operation: 'search',
      answer: async (request, { headers }, params) => {
        const collection = nameIn(params, 'collection');
        const body = await readJsonObject(request);
        const result = await store.read(() => search(store, collection, body));
        return jsonAnswer(200, { status: 'success', ...result }, headers);
      },
    },
  ];
}

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

function checkName(name: string, what: string): string {
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(name) || name === '.' || name === '..')
    throw new AppError(
      'BAD_INPUT',
      `${what} must be 1 to 128 letters, digits, dots, hyphens or underscores`,
    );
  return name;
}
const nameIn = (params: Readonly<Record<string, string>>, what: string) =>
  checkName(params[what] ?? '', what);

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

type NumberBounds = { defaultValue: number; min: number; max: number };

function numberIn(
  query: URLSearchParams,
  name: string,
  { defaultValue, min, max }: NumberBounds,
): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new AppError('BAD_INPUT', `${name} must be a whole number from ${min} to ${max}`);
  return value;
}

function pageOf(
  allNames: string[],
  query: URLSearchParams,
): { names: string[]; next: string | null } {
  const after = query.get('after');
  if (after !== null) checkName(after, 'after');
  const limit = numberIn(query, 'limit', { defaultValue: 100, min: 1, max: 1_000 });
  const remainingNames = allNames.filter((name) => after === null || name > after).sort();
  const names = remainingNames.slice(0, limit);
  return { names, next: remainingNames.length > limit ? (names.at(-1) ?? null) : null };
}
