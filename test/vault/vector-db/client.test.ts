import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';

const headersTimeout = 300;
let received = '';
const server = createServer(
  { headersTimeout, connectionsCheckingInterval: 50 },
  async (request, response) => {
    received = await text(request);
    response.setHeader('content-type', 'application/json').end('{"passages":1}');
  },
);
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
});

async function* passageAfter(milliseconds: number) {
  await wait(milliseconds);
  const vector = new Float32Array([1, 0]);
  yield { ordinal: 0, text: 'Late', page: null, headings: [], start: 0, end: 4, vector };
}

describe('createVectorDbClient', () => {
  it('A document is stored if its first passage arrives after the header timeout of the server', async () => {
    const client = createVectorDbClient({ url, secret: 'secret' });
    const metadata = { hash: 'hash', embedding: 'hashing', facts: {} };
    const stored = await client.put(
      'collection',
      'slow',
      metadata,
      passageAfter(3 * headersTimeout),
    );
    expect(stored).toEqual({ passages: 1 });
    expect(received).toContain('"Late"');
  });

  it('An error of the passages is thrown, and nothing is sent', async () => {
    received = '';
    const client = createVectorDbClient({ url, secret: 'secret' });
    const metadata = { hash: 'hash', embedding: 'hashing', facts: {} };
    // biome-ignore lint/correctness/useYield: the document cannot be read
    const unreadable = (async function* () {
      throw new Error('unreadable');
    })();
    await expect(client.put('collection', 'bad', metadata, unreadable)).rejects.toThrow(
      'unreadable',
    );
    expect(received).toBe('');
  });
});
