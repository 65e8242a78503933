import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createVaultClient } from '../../src/vault/client.ts';
import type { TestApp, TestOrganization } from './app.ts';
import { receiver, vaultSecret } from './vault.ts';

type StoredPassage = {
  document: string;
  text: string;
  page?: number | null;
  ordinal?: number;
  start?: number;
};

/**
 * A vault stub that finds whatever passages the test has added to a collection, with the API's
 * client for it.
 */
export async function searchVaultStub() {
  const passagesByCollection = new Map<string, StoredPassage[]>();
  const searches: { collection: string; query: string }[] = [];
  let delayMs = 0;
  let embedding: { model: string; tokens: number } | undefined;

  const server = await receiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks);
      await pause(delayMs);
      const { status, answer } = answerTo(request.url ?? '', body);
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer));
    });
  });

  function answerTo(path: string, body: Buffer): { status: number; answer: object } {
    // Only the test itself adds passages.
    if (body.length === 0)
      return {
        status: 503,
        answer: { status: 'error', message: 'this vault stub stores no documents' },
      };
    if (path.startsWith('/v1/extract')) return extractResponse(body.toString());
    const collection = /^\/v1\/collections\/([^/]+)\/search$/.exec(path)?.[1] ?? '';
    const { query } = JSON.parse(body.toString());
    searches.push({ collection, query });
    const passages = (passagesByCollection.get(collection) ?? []).map(
      ({ document, text, page = 1, ordinal = 0, start = 0 }, rank) => ({
        document,
        ordinal,
        text,
        page,
        headings: [],
        start,
        end: start + text.length,
        score: 1 / (rank + 1),
        scores: { keyword: null, vector: null, coverage: null, fused: 1, rerank: null },
      }),
    );
    return {
      status: 200,
      answer: {
        status: 'success',
        collection,
        query,
        mode: 'hybrid',
        passages,
        duplicatesRemoved: 0,
        tookMs: 1,
        ...(embedding && { embedding }),
      },
    };
  }

  return {
    client: createVaultClient({ url: server.url, secret: vaultSecret }),
    searches,
    put: (collection: string, passages: StoredPassage[]) =>
      passagesByCollection.set(collection, passages),
    /** What a provider counts for the embedding of each query. */
    countEmbedding(usage: typeof embedding) {
      embedding = usage;
    },
    answerAfter(ms: number) {
      delayMs = ms;
    },
    stop: server.stop,
    start: server.start,
  };
}

function extractResponse(text: string) {
  if (text.startsWith('unreadable'))
    return {
      status: 422,
      answer: {
        status: 'error',
        code: 'DAMAGED',
        message: 'The file is damaged or incomplete and cannot be read',
      },
    };
  return {
    status: 200,
    answer: {
      status: 'success',
      mimeType: 'text/plain',
      pages: null,
      characters: text.length,
      truncated: text.length > 200_000,
      text,
      pageStarts: [],
    },
  };
}

let fileCount = 0;

/** Inserts the row of a processed file, without an upload. */
export async function createProcessedFile(
  { database }: TestApp,
  { id: organizationId }: TestOrganization,
  assistantId: string,
  originalName: string,
): Promise<string> {
  fileCount += 1;
  const id = `file-${fileCount}`;
  await database.prisma.assistantFile.create({
    data: {
      id,
      assistantId,
      organizationId,
      originalName,
      mimeType: 'application/pdf',
      size: 1,
      hash: createHash('sha256').update(id).digest('hex'),
      storageKey: id,
      status: 'COMPLETED',
    },
  });
  return id;
}
