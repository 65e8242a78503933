import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';

const headersTimeout = 300;
let received = '';
let answer = '{"passages":1}';
const server = createServer(
  { headersTimeout, connectionsCheckingInterval: 50 },
  async (request, response) => {
    received = await text(request);
    response.setHeader('content-type', 'application/json').end(answer);
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

  it('A vector database of an earlier version, which sends the texts of all hits, is understood', async () => {
    const client = createVectorDbClient({ url, secret: 'secret' });
    const passage = (document: string) => ({
      ...{ document, ordinal: 0, text: `Text of ${document}`, page: null, headings: [] },
      ...{ start: 0, end: 4 },
    });
    const hit = { ...passage('by-words'), score: 2 };
    const near = { ...passage('by-vectors'), score: 0.5, embedding: 'hashing' };
    answer = JSON.stringify({ embeddings: ['hashing'], keyword: [hit], vector: [near] });
    const best = { passages: 60, weights: { hashing: 1 } };
    const found = await client.searchBest('collection', { text: 'words', limit: 100, best });
    answer = '{"passages":1}';
    expect(found).toMatchObject({
      keyword: [{ document: 'by-words', ordinal: 0, score: 2 }],
      vector: [{ document: 'by-vectors', ordinal: 0, score: 0.5, embedding: 'hashing' }],
      passages: [{ text: 'Text of by-words' }, { text: 'Text of by-vectors' }],
    });
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
