import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../src/http/server.ts';
import { AppError } from '../../src/platform/errors.ts';
import { createVaultClient, type IngestStage, VaultRefusal } from '../../src/vault/client.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const close of cleanups.splice(0)) close();
});

/** A client of a server that answers as the test specifies. */
async function createTestClient(answer: RequestListener) {
  const server = createServer(answer);
  const url = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  const client = createVaultClient({ url, secret: 'the secret of the vault' });
  cleanups.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, server, url };
}

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const address = { collection: 'books', document: 'one' };
const bytesOf = (text: string) => Readable.from([Buffer.from(text)]);
const ingestedDocument = {
  status: 'success',
  ...address,
  hash: 'aa',
  mimeType: 'text/plain',
  bytes: 5,
  pages: null,
  passages: 1,
  characters: 5,
  derivations: ['text', 'chunks', 'embeddings'],
  unchanged: false,
  searchable: true,
  searchableAt: '2026-01-01T00:00:00.000Z',
};
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

describe('createVaultClient: ingest', () => {
  it('The client sends the bytes and names, signed, reports each stage, and returns the result', async () => {
    const requests: Record<string, unknown>[] = [];
    const { client } = await createTestClient(
      async ({ method, url, headers, ...request }, response) => {
        void request;
        requests.push({
          method,
          url,
          scheme: headers.authorization?.split(' ')[0],
          accept: headers.accept,
          name: headers['x-file-name'],
          length: headers['content-length'],
        });
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        const stream = `: ingestion\n\n${event('waiting', { ahead: 2 })}${event('stage', { stage: 'EXTRACTING', passages: 0 })}${event('stage', { stage: 'INDEXING', passages: 7 })}${event('done', { ...ingestedDocument, news: 'Käse' })}`;
        // Events arrive in pieces, which can split a character.
        for (const byte of Buffer.from(stream)) response.write(Buffer.from([byte]));
        response.end();
      },
    );
    const stages: IngestStage[] = [];
    const result = await client.ingest({
      ...address,
      body: bytesOf('hello'),
      bytes: 5,
      fileName: 'Bücher/ä\ud800.txt',
      replaces: 'old',
      onStage: (stage) => stages.push(stage),
    });
    expect(requests).toEqual([
      {
        method: 'PUT',
        url: '/v1/collections/books/documents/one?replaces=old',
        scheme: 'Atrium-Signature',
        accept: 'text/event-stream',
        name: 'B%C3%BCcher%2F%C3%A4%EF%BF%BD.txt',
        length: '5',
      },
    ]);
    expect(stages).toEqual([
      { stage: 'EXTRACTING', passages: 0 },
      { stage: 'INDEXING', passages: 7 },
    ]);
    expect(result).toMatchObject({
      document: 'one',
      passages: 1,
      derivations: ['text', 'chunks', 'embeddings'],
      unchanged: false,
    });
  });

  it('Line separators of Unicode, which JSON does not escape, end no line of an event', async () => {
    const mimeType = 'one\u2028two\u2029three';
    const { client } = await createTestClient((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.end(event('done', { ...ingestedDocument, mimeType }));
    });
    const result = await client.ingest({
      ...address,
      body: bytesOf('hello'),
      bytes: 5,
      fileName: 'a.txt',
    });
    expect(result).toMatchObject({ mimeType });
  });

  it('A document that cannot be read throws a VaultRefusal with its reason, for an event and for a status', async () => {
    const message = 'The file is protected by a password; remove the protection and send it again';
    const byEvent = await createTestClient((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(event('failed', { code: 'ENCRYPTED', message }));
    });
    const byStatus = await createTestClient((_, response) =>
      json(response, 422, { status: 'error', code: 'ENCRYPTED', message }),
    );
    for (const { client } of [byEvent, byStatus]) {
      const outcome = client.ingest({ ...address, body: bytesOf('x') });
      await expect(outcome).rejects.toBeInstanceOf(VaultRefusal);
      await expect(outcome).rejects.toMatchObject({
        code: 'UNREADABLE_DOCUMENT',
        reason: 'ENCRYPTED',
        message,
      });
    }
  });

  it('A document that is rejected while it is being sent stops at once with the reason', async () => {
    const { client } = await createTestClient((_, response) => {
      response
        .writeHead(413, { 'content-type': 'application/json', connection: 'close' })
        .end('{"status":"error","message":"The body is larger than 10 bytes"}');
    });
    let isStopped = false;
    async function* endless() {
      try {
        for (;;) {
          yield Buffer.alloc(65_536);
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        isStopped = true;
      }
    }
    await expect(client.ingest({ ...address, body: endless() })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The body is larger than 10 bytes',
    });
    await expect.poll(() => isStopped).toBe(true);
  });

  it('An upload whose source fails throws the error of the source, and the vault sees an incomplete request', async () => {
    const completeFlags: boolean[] = [];
    const { client } = await createTestClient((request) => {
      request.on('error', () => {});
      request.on('close', () => completeFlags.push(request.complete));
      request.resume();
    });
    async function* broken() {
      yield Buffer.from('begun');
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new Error('the disk is gone');
    }
    await expect(client.ingest({ ...address, body: broken() })).rejects.toThrow('the disk is gone');
    await expect.poll(() => completeFlags).toEqual([false]);
  });

  it('An aborted ingestion throws the reason of the signal, both before and during processing', async () => {
    const started = Promise.withResolvers<void>();
    const { client } = await createTestClient(async (request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(event('stage', { stage: 'EXTRACTING', passages: 0 }));
      request.on('error', () => {});
      request.resume();
    });
    const controller = new AbortController();
    const ingestion = client.ingest({
      ...address,
      body: bytesOf('x'),
      onStage: () => started.resolve(),
      signal: controller.signal,
    });
    ingestion.catch(() => {});
    await started.promise;
    controller.abort(new Error('enough'));
    await expect(ingestion).rejects.toThrow('enough');
    await expect(
      client.ingest({ ...address, body: bytesOf('x'), signal: controller.signal }),
    ).rejects.toThrow('enough');
  });
});

describe('createVaultClient: a vault that fails', () => {
  const isUnavailable = { code: 'UNAVAILABLE', message: 'The vault is out of reach' };

  it('Every call to a vault that does not listen throws UNAVAILABLE', async () => {
    const { client, server } = await createTestClient(() => {});
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await expect(client.search({ collection: 'books', query: 'x' })).rejects.toMatchObject(
      isUnavailable,
    );
    await expect(client.ingest({ ...address, body: bytesOf('x') })).rejects.toMatchObject(
      isUnavailable,
    );
    await expect(client.remove(address)).rejects.toMatchObject(isUnavailable);
    expect(await client.isHealthy()).toBe(false);
  });

  it('A vault that disconnects in the middle of its events throws UNAVAILABLE', async () => {
    const { client } = await createTestClient((request, response) => {
      request.resume();
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(event('stage', { stage: 'EXTRACTING', passages: 0 }), () => response.destroy());
    });
    await expect(client.ingest({ ...address, body: bytesOf('x') })).rejects.toMatchObject(
      isUnavailable,
    );
  });

  it.each(['', 'no json', '{"status":"success"}', '[]'])(
    'A vault that answers %j throws UNAVAILABLE',
    async (body) => {
      const { client } = await createTestClient((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      await expect(client.search({ collection: 'books', query: 'x' })).rejects.toMatchObject(
        isUnavailable,
      );
    },
  );

  it.each([401, 429, 500, 503])(
    'A vault that answers %i throws UNAVAILABLE without the details of the vault',
    async (status) => {
      const { client } = await createTestClient((_, response) =>
        json(response, status, { status: 'error', message: 'a matter of the vault' }),
      );
      const outcome = client.search({ collection: 'books', query: 'x' });
      await expect(outcome).rejects.toBeInstanceOf(AppError);
      await expect(outcome).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: 'The vault can not do this now',
      });
    },
  );

  it('A call on a reused connection that the vault has closed is repeated on a new connection', async () => {
    const { client, server } = await createTestClient((request, response) => {
      void textOf(request);
      json(response, 200, { existed: true, passages: 3 });
    });
    expect(await client.remove(address)).toEqual({ existed: true, passages: 3 });
    server.closeAllConnections();
    expect(await client.remove(address)).toEqual({ existed: true, passages: 3 });
  });
});

describe('createVaultClient: missing documents', () => {
  it('A missing collection gives no search results, an undefined document, and NOT_FOUND for its passages', async () => {
    const { client } = await createTestClient((_, response) =>
      json(response, 404, { status: 'error', message: 'Collection not found' }),
    );
    expect(await client.search({ collection: 'books', query: 'x' })).toEqual({
      passages: [],
      duplicatesRemoved: 0,
      tookMs: 0,
      notes: [],
    });
    expect(await client.document(address)).toBeUndefined();
    await expect(client.passages(address)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Collection not found',
    });
  });
});
