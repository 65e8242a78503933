import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createVaultClient } from '../../src/vault/client.ts';
import { verifySignature } from '../../src/vault/signature.ts';

type StoredDocument = { hash: string; text: string };

/**
 * A stub of the vault's HTTP interface for files. It keeps documents in memory and can be stopped,
 * paused and made to fail. Content with "unreadable" is rejected, and content with "faulty" fails
 * without a reason.
 */
export async function vaultStandIn() {
  const secret = 'the secret of the stand-in';
  const collections = new Map<string, Map<string, StoredDocument>>();
  const requests: string[] = [];
  let pause: { released: Promise<void>; release: () => void } | undefined;
  let isFailing = false;
  let isFull = false;

  async function ingest(
    request: IncomingMessage,
    response: ServerResponse,
    collection: string,
    document: string,
    query: URLSearchParams,
  ) {
    const replaces = query.get('replaces');
    const bytes = await buffer(request);
    const text = bytes.toString('latin1');
    const hash = createHash('sha256').update(bytes).digest('hex');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const sendEvent = (event: string, data: unknown) =>
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    sendEvent('stage', { stage: 'EXTRACTING', passages: 0 });
    await pause?.released;
    if (response.destroyed) return;
    if (text.includes('faulty')) return void response.destroy();
    if (isFull) {
      sendEvent('failed', {
        status: 'error',
        code: 'STORAGE_FULL',
        message: 'The storage of the vector database is full',
      });
      return void response.end();
    }
    if (text.includes('unreadable')) {
      sendEvent('failed', {
        status: 'error',
        code: 'ENCRYPTED',
        message: 'The document is protected by a password',
      });
      return void response.end();
    }
    if (query.get('passagesMax') === '0') {
      sendEvent('failed', {
        status: 'error',
        code: 'QUOTA_EXCEEDED',
        message: 'The file has more passages than its sender may add',
      });
      return void response.end();
    }
    sendEvent('stage', { stage: 'INDEXING', passages: 1 });
    const documents = collections.get(collection) ?? new Map<string, StoredDocument>();
    collections.set(collection, documents);
    documents.set(document, { hash, text });
    if (replaces !== null) documents.delete(replaces);
    const facts = {
      mimeType: 'text/x-found',
      bytes: bytes.length,
      pages: null,
      passages: 1,
      characters: text.length,
      derivations: ['text', 'chunks', 'embeddings'],
    };
    sendEvent('done', {
      status: 'success',
      document,
      hash,
      ...facts,
      unchanged: false,
      searchableAt: new Date().toISOString(),
    });
    response.end();
  }

  const isSigned = (url: URL, { method = '', headers: { authorization = '' } }: IncomingMessage) =>
    verifySignature(new Request(url, { method, headers: { authorization } }), {
      secret,
      audience: 'vault',
    });

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', 'http://vault.test');
    const [, , , collection = '', what, document = ''] = url.pathname.split('/');
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    requests.push(`${request.method} ${what ?? 'collections'} ${document}`);
    if (!isSigned(url, request)) return send(401, { status: 'error', message: 'wrong secret' });
    if (isFailing) return send(503, { status: 'error', message: 'not now' });
    const documents = collections.get(collection);
    if (request.method === 'PUT')
      return ingest(request, response, collection, document, url.searchParams);
    if (request.method === 'DELETE' && what === undefined) {
      const passages = documents?.size ?? 0;
      collections.delete(collection);
      return send(200, { status: 'success', documents: passages, passages });
    }
    if (request.method === 'DELETE')
      return send(200, {
        status: 'success',
        document,
        existed: documents?.delete(document) ?? false,
        passages: 1,
      });
    if (collection === '')
      return send(200, {
        status: 'success',
        collections: [...collections.keys()].map((name) => ({ collection: name })),
        next: null,
      });
    if (!documents) return send(404, { status: 'error', message: 'no such collection' });
    const documentList = [...documents].map(([name, { hash }]) => ({
      document: name,
      hash,
      embedding: 'none',
      passages: 1,
      updatedAt: '',
      facts: {},
    }));
    return send(200, { status: 'success', documents: documentList, next: null });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  let port = 0;
  async function start() {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  }
  async function stop() {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
  await start();
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    secret,
    client: createVaultClient({ url, secret }),
    start,
    stop,
    /** One line per request. */
    requests,
    collections,
    /** The documents of an assistant with their text. */
    documentsOf: (collection: string) =>
      Object.fromEntries(
        [...(collections.get(collection) ?? [])].map(([name, { text }]) => [name, text]),
      ),
    /** Pauses all ingestions until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = { released: promise, release: resolve };
      return () => {
        pause = undefined;
        resolve();
      };
    },
    failing(value: boolean) {
      isFailing = value;
    },
    /** Sets whether the storage is full. */
    full(value: boolean) {
      isFull = value;
    },
  };
}
