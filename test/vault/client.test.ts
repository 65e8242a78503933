import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/platform/errors.ts';
import { listen } from '../../src/platform/server.ts';
import { createVaultClient, type IngestStage, VaultRefusal } from '../../src/vault/client.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A client of something that listens where a vault should be, and answers as this test wants. */
async function clientOf(answer: RequestListener) {
  const server = createServer(answer);
  const url = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  const client = createVaultClient({ url, secret: 'the secret of the vault' });
  closers.push(() => {
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

const place = { collection: 'books', document: 'one' };
const bytesOf = (text: string) => Readable.from([Buffer.from(text)]);
const ingested = {
  status: 'success',
  ...place,
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

describe('bringing a document', () => {
  it('sends its bytes, names and secret, tells the stages as they come, and ends with what became of it', async () => {
    const seen: Record<string, unknown>[] = [];
    const { client } = await clientOf(async ({ method, url, headers, ...request }, response) => {
      void request;
      seen.push({
        method,
        url,
        secret: headers.authorization,
        accept: headers.accept,
        name: headers['x-file-name'],
        length: headers['content-length'],
      });
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const whole = `: working\n\n${event('waiting', { ahead: 2 })}${event('stage', { stage: 'EXTRACTING', passages: 0 })}${event('stage', { stage: 'INDEXING', passages: 7 })}${event('done', { ...ingested, news: 'Käse' })}`;
      // Events fall apart on the way, even inside a letter.
      for (const byte of Buffer.from(whole)) response.write(Buffer.from([byte]));
      response.end();
    });
    const stages: IngestStage[] = [];
    const result = await client.ingest({
      ...place,
      body: bytesOf('hello'),
      bytes: 5,
      fileName: 'Bücher/ä\ud800.txt',
      replaces: 'old',
      onStage: (stage) => stages.push(stage),
    });
    expect(seen).toEqual([
      {
        method: 'PUT',
        url: '/v1/collections/books/documents/one?replaces=old',
        secret: 'Bearer the secret of the vault',
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

  it('that can not be read is a refusal with its reason, by an event as by a status', async () => {
    const message = 'The file is protected by a password; remove the protection and send it again';
    const byEvent = await clientOf((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(event('failed', { code: 'ENCRYPTED', message }));
    });
    const byStatus = await clientOf((_, response) =>
      json(response, 422, { status: 'error', code: 'ENCRYPTED', message }),
    );
    for (const { client } of [byEvent, byStatus]) {
      const outcome = client.ingest({ ...place, body: bytesOf('x') });
      await expect(outcome).rejects.toBeInstanceOf(VaultRefusal);
      await expect(outcome).rejects.toMatchObject({
        code: 'UNREADABLE_DOCUMENT',
        reason: 'ENCRYPTED',
        message,
      });
    }
  });

  it('that is refused while it is still being sent ends at once with the reason', async () => {
    const { client } = await clientOf((_, response) => {
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
    await expect(client.ingest({ ...place, body: endless() })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The body is larger than 10 bytes',
    });
    await expect.poll(() => isStopped).toBe(true);
  });

  it('whose source breaks ends with the fault of the source, and the vault does not take it for a whole one', async () => {
    const ends: boolean[] = [];
    const { client } = await clientOf((request) => {
      request.on('error', () => {});
      request.on('close', () => ends.push(request.complete));
      request.resume();
    });
    async function* broken() {
      yield Buffer.from('begun');
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new Error('the disk is gone');
    }
    await expect(client.ingest({ ...place, body: broken() })).rejects.toThrow('the disk is gone');
    await expect.poll(() => ends).toEqual([false]);
  });

  it('ends with the reason of the signal, whether it is being sent or worked on', async () => {
    const begun = Promise.withResolvers<void>();
    const { client } = await clientOf(async (request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(event('stage', { stage: 'EXTRACTING', passages: 0 }));
      request.on('error', () => {});
      request.resume();
    });
    const controller = new AbortController();
    const working = client.ingest({
      ...place,
      body: bytesOf('x'),
      onStage: () => begun.resolve(),
      signal: controller.signal,
    });
    working.catch(() => {});
    await begun.promise;
    controller.abort(new Error('enough'));
    await expect(working).rejects.toThrow('enough');
    await expect(
      client.ingest({ ...place, body: bytesOf('x'), signal: controller.signal }),
    ).rejects.toThrow('enough');
  });
});

describe('a vault that is not well', () => {
  const isUnavailable = { code: 'UNAVAILABLE', message: 'The vault is out of reach' };

  it('and does not listen is out of reach, for every call', async () => {
    const { client, server } = await clientOf(() => {});
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await expect(client.search({ collection: 'books', query: 'x' })).rejects.toMatchObject(
      isUnavailable,
    );
    await expect(client.ingest({ ...place, body: bytesOf('x') })).rejects.toMatchObject(
      isUnavailable,
    );
    await expect(client.remove(place)).rejects.toMatchObject(isUnavailable);
    expect(await client.isHealthy()).toBe(false);
  });

  it('and falls silent in the middle of its events is out of reach', async () => {
    const { client } = await clientOf((request, response) => {
      request.resume();
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(event('stage', { stage: 'EXTRACTING', passages: 0 }), () => response.destroy());
    });
    await expect(client.ingest({ ...place, body: bytesOf('x') })).rejects.toMatchObject(
      isUnavailable,
    );
  });

  it.each(['', 'no json', '{"status":"success"}', '[]'])(
    'and answers %j is out of reach',
    async (nonsense) => {
      const { client } = await clientOf((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(nonsense);
      });
      await expect(client.search({ collection: 'books', query: 'x' })).rejects.toMatchObject(
        isUnavailable,
      );
    },
  );

  it.each([401, 429, 500, 503])(
    'and answers %i tells its caller nothing but that it can not do this now',
    async (status) => {
      const { client } = await clientOf((_, response) =>
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

  it('and has ended the connections that were kept is asked again on a new one', async () => {
    const { client, server } = await clientOf((request, response) => {
      void textOf(request);
      json(response, 200, { existed: true, passages: 3 });
    });
    expect(await client.remove(place)).toEqual({ existed: true, passages: 3 });
    server.closeAllConnections();
    expect(await client.remove(place)).toEqual({ existed: true, passages: 3 });
  });
});

describe('what is not there', () => {
  it('is nothing found in a search, undefined as a document, and told where it was named', async () => {
    const { client } = await clientOf((_, response) =>
      json(response, 404, { status: 'error', message: 'Collection not found' }),
    );
    expect(await client.search({ collection: 'books', query: 'x' })).toEqual({
      passages: [],
      duplicatesRemoved: 0,
      tookMs: 0,
      notes: [],
    });
    expect(await client.document(place)).toBeUndefined();
    await expect(client.passages(place)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Collection not found',
    });
  });
});
