import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bearer, vaultSecret } from '../../support/vault.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const seed = Math.floor(Math.random() * 2 ** 31);
const random = seeded(seed);
function seeded(state: number) {
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

let vault: VaultServers;
beforeAll(async () => {
  process.stdout.write(`interrupted uploads: seed ${seed}\n`);
  vault = await startVaultServers({ yaml: 'extraction: { workers: 3 }' });
});
afterAll(() => vault.close());
afterEach(() => {
  expect(vault.workFiles()).toEqual([]);
});

const paragraphs = (count: number, word: string) =>
  Array.from(
    { length: count },
    (_, at) => `Paragraph ${at} of the ${word} says something, then something else, and ends here.`,
  ).join('\n\n');
const requestHead = (document: string, bytes: number, headers = '') =>
  `PUT /v1/collections/cut/documents/${document} HTTP/1.1\r\nHost: vault\r\nAuthorization: ${bearer(vaultSecret).authorization}\r\nContent-Length: ${bytes}\r\n${headers}\r\n`;
const openDescriptors = () => readdirSync('/proc/self/fd').length;

describe('a client that disconnects', () => {
  it('Interrupted uploads leave no document, no file and no open descriptor', async () => {
    await vault.put('cut', 'before', 'it was there before the storm');
    const text = paragraphs(3_000, 'albatross');
    const before = openDescriptors();
    const acknowledged = new Set<number>();
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const socket = await vault.connection();
        socket.on('data', (chunk: Buffer) => {
          if (/"searchable":true/.test(chunk.toString())) acknowledged.add(at);
        });
        const sentLength = at % 4 === 0 ? text.length : Math.floor(random() * text.length);
        socket.write(
          requestHead(
            `cut-${at}`,
            text.length,
            at % 2 === 0 ? 'Accept: text/event-stream\r\n' : '',
          ),
        );
        socket.write(text.slice(0, sentLength));
        await wait(random() * 300);
        socket.destroy();
      }),
    );
    await expect.poll(() => vault.workFiles(), { timeout: 60_000 }).toEqual([]);
    await expect.poll(openDescriptors, { timeout: 60_000 }).toBeLessThanOrEqual(before);
    const { documents } = await vault.client.documents({ collection: 'cut', limit: 100 });
    const storedDocuments = documents
      .map(({ document }) => document)
      .filter((document) => document !== 'before');
    // A document can be stored only if it was sent completely, and then it must be complete.
    for (const document of storedDocuments) {
      expect(Number(document.slice(4)) % 4).toBe(0);
      const passages = await vault.client.passages({ collection: 'cut', document, limit: 1_000 });
      expect(passages.at(-1)?.end).toBe(text.length);
    }
    for (const at of acknowledged) expect(storedDocuments).toContain(`cut-${at}`);
    expect((await vault.put('cut', 'after', 'the calm after the storm')).status).toBe(200);
  });

  it('An interrupted request is not logged as an error', async () => {
    const before = vault.lines.length;
    const requests = [
      [vault.url, 'POST /v1/search', 'application/json'],
      [vault.url, 'POST /v1/extract', 'text/plain'],
      [vault.vectorDb.url, 'POST /v1/collections/cut/search', 'application/json'],
      [
        vault.vectorDb.url,
        `PUT /v1/collections/cut/documents/d`,
        `application/x-ndjson\r\nX-Document-Hash: ${'a'.repeat(64)}\r\nX-Embedding: none`,
      ],
    ] as const;
    for (const [url, line, type] of requests) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `${line} HTTP/1.1\r\nHost: vault\r\nAuthorization: ${bearer(vaultSecret).authorization}\r\nContent-Type: ${type}\r\nContent-Length: 50\r\n\r\n{`,
      );
      await wait(50);
      socket.resetAndDestroy();
    }
    await expect
      .poll(
        () =>
          vault.lines.slice(before).filter((entry) => entry.includes('"msg":"answered"')).length,
      )
      .toBeGreaterThanOrEqual(requests.length);
    expect(vault.lines.slice(before).filter((entry) => entry.includes('"level":"error"'))).toEqual(
      [],
    );
  });

  it('A client that disconnects while its document is processed stops the processing', async () => {
    const controller = new AbortController();
    const outcome = vault.client.ingest({
      collection: 'stopped',
      document: 'long',
      body: Readable.from([Buffer.from(paragraphs(60_000, 'cormorant'))]),
      onStage: ({ stage }) => {
        if (stage === 'EMBEDDING') controller.abort(new Error('enough'));
      },
      signal: controller.signal,
    });
    await expect(outcome).rejects.toThrow('enough');
    await expect.poll(() => vault.workFiles(), { timeout: 60_000 }).toEqual([]);
    expect((await vault.call('GET', '/v1/collections/stopped/documents/long')).status).toBe(404);
    expect(await vault.find('stopped', 'cormorant')).toEqual([]);
  });
});

describe('more files than readers', () => {
  it('Files that exceed the number of readers wait, get a waiting event, and are all stored', async () => {
    const text = paragraphs(1_500, 'gannet');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        vault.put('line', `d${at}`, `${at}\n\n${text}`, { accept: 'text/event-stream' }),
      ),
    );
    expect(answers.filter((answer) => answer.text.includes('event: done')).length).toBe(8);
    expect(
      answers.filter((answer) => answer.text.includes('event: waiting')).length,
    ).toBeGreaterThan(0);
    expect((await vault.client.documents({ collection: 'line' })).documents).toHaveLength(8);
  });

  it('Files are rejected with Retry-After while the queue is full, and accepted again afterwards', async () => {
    const waitingSockets = await Promise.all(
      Array.from({ length: 34 }, async (_, at) => {
        const socket = await vault.connection();
        socket.write(requestHead(`waitingSockets-${at}`, 1_000));
        return socket;
      }),
    );
    await expect.poll(() => vault.workFiles().length).toBe(34);
    const answer = await vault.put('cut', 'too-many', 'the text');
    expect(answer).toMatchObject({
      status: 503,
      body: { message: 'Too many files are waiting to be read; send it again later' },
    });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const socket of waitingSockets) socket.destroy();
    await expect.poll(() => vault.workFiles()).toEqual([]);
    expect((await vault.put('cut', 'enough-room', 'the text')).status).toBe(200);
  });
});

describe('replacing a document', () => {
  it('A search during a replacement finds the old or the new document, never both and never neither', async () => {
    await vault.put('swapped', 'd0', 'the answer to the question is number 0');
    let isOver = false;
    const results: string[][] = [];
    const reader = (async () => {
      while (!isOver) results.push((await vault.find('swapped', 'answer')).map(({ text }) => text));
    })();
    for (let version = 1; version <= 8; version += 1) {
      const { status } = await vault.put(
        'swapped',
        `d${version}?replaces=d${version - 1}`,
        `the answer to the question is number ${version}`,
      );
      expect(status).toBe(200);
    }
    isOver = true;
    await reader;
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter((texts) => texts.length !== 1)).toEqual([]);
    const numbers = results.map(([text = '']) => Number(/\d+/.exec(text)?.[0]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });
});

describe('a vector database that is down', () => {
  it('Calls answer 503 while the vector database is down, nothing is stored partially, and calls work again afterwards', async () => {
    await vault.put('gone', 'old', 'the old text of the puffin');
    const interrupted = vault.client.ingest({
      collection: 'gone',
      document: 'long',
      body: Readable.from([Buffer.from(paragraphs(60_000, 'razorbill'))]),
      onStage: ({ stage }) => {
        if (stage === 'EMBEDDING') void vault.vectorDb.stop();
      },
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await vault.vectorDb.stop();
    for (const answer of [
      await vault.put('gone', 'old', 'the new text of the puffin'),
      await vault.call('GET', '/v1/collections/gone/documents/old'),
      await vault.call('GET', '/v1/collections'),
      await vault.call('DELETE', '/v1/collections/gone/documents/old'),
    ]) {
      expect(answer).toMatchObject({ status: 503, body: { status: 'error' } });
      expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|at \//);
    }
    await vault.vectorDb.start();
    expect(await vault.find('gone', 'puffin')).toMatchObject([
      { document: 'old', text: 'the old text of the puffin' },
    ]);
    expect((await vault.call('GET', '/v1/collections/gone/documents/long')).status).toBe(404);
    expect(await vault.find('gone', 'razorbill')).toEqual([]);
    expect((await vault.put('gone', 'old', 'the new text of the puffin')).status).toBe(200);
  });
});
