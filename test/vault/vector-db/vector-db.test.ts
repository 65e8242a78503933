import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { encodeVector } from '../../../src/vault/vector-db/vector.ts';
import { faultOf } from '../../support/fault-of.ts';
import { passagesOf, vectorOf } from '../../support/passages.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { bearer, linesOfLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

const directory = temporaryDirectory();
const { log } = linesOfLog();
const location = join(directory.path, 'vectors');
let database: Awaited<ReturnType<typeof startVectorDb>>;
let client: ReturnType<typeof createVectorDbClient>;

beforeAll(async () => {
  database = await startVectorDb(location, log);
  client = createVectorDbClient({ url: database.url, secret: vaultSecret });
});
afterAll(async () => {
  await database.stop();
  directory.remove();
});

const about = { hash: 'a'.repeat(64), embedding: 'letters-1', facts: { mimeType: 'text/plain' } };
const put = (collection: string, document: string, texts: string[], more: object = {}) =>
  client.put(collection, document, { ...about, ...more }, passagesOf(texts));
const wordsOf = async (collection: string, text: string) =>
  (await client.search(collection, { text, limit: 50 })).keyword.map((hit) => hit.text);
const line = (over: object = {}) =>
  JSON.stringify({
    ordinal: 0,
    text: 'x',
    page: null,
    headings: [],
    start: 0,
    end: 1,
    vector: encodeVector(vectorOf('x')),
    ...over,
  });
const raw = async (
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${database.url}${path}`, {
    method,
    headers: {
      ...bearer(vaultSecret),
      'x-document-hash': about.hash,
      'x-embedding': about.embedding,
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
};

describe('the vector database', () => {
  it('gives back what was put, with its facts, page, headings and offsets', async () => {
    await client.put(
      'give',
      'one',
      { ...about, lastFacts: async () => ({ pages: 3 }) },
      passagesOf(['first words', 'second words']),
    );
    expect(await client.document('give', 'one')).toMatchObject({
      document: 'one',
      hash: about.hash,
      passages: 2,
      facts: { mimeType: 'text/plain', pages: 3 },
    });
    const { passages } = await client.passages('give', 'one', { from: 1 });
    expect(passages).toEqual([
      { ordinal: 1, text: 'second words', page: 2, headings: ['Heading'], start: 1000, end: 1012 },
    ]);
    expect((await client.documents('give')).documents.map(({ document }) => document)).toEqual([
      'one',
    ]);
  });

  it('finds words whatever their case and accents, part numbers, and rare words before common ones', async () => {
    await put('words', 'one', [
      'The part AX-4711 is über-cool',
      'Größe zählt nicht',
      'nothing of the kind',
      'the the the',
    ]);
    expect(await wordsOf('words', 'ax-4711')).toEqual(['The part AX-4711 is über-cool']);
    expect(await wordsOf('words', 'UBER')).toEqual(['The part AX-4711 is über-cool']);
    expect(await wordsOf('words', 'grosse')).toEqual(['Größe zählt nicht']);
    expect((await wordsOf('words', 'the kind'))[0]).toBe('nothing of the kind');
  });

  it.each([
    '"',
    'AND',
    'a AND (b',
    '+x -y',
    'text:words',
    '*',
    '\\',
    "'; drop table",
    '~2^3',
    '{"match":1}',
    '',
    '   ',
    '🙂',
    '%',
  ])('takes %j as plain words', async (text) => {
    await put('hostile', 'one', ['plain words']);
    expect(await wordsOf('hostile', `${text} plain`)).toEqual(['plain words']);
    expect((await client.search('hostile', { text, limit: 5 })).keyword.length).toBeLessThanOrEqual(
      1,
    );
  });

  it('finds the nearest vectors by cosine, in each space with its own vector', async () => {
    await put('near', 'one', ['abc', 'xyz']);
    await client.put('near', 'two', { ...about, embedding: 'other-1' }, passagesOf(['abc'], 4));
    const found = await client.search('near', {
      vectors: { 'letters-1': vectorOf('abc') },
      limit: 5,
    });
    expect(found.embeddings).toEqual(['letters-1', 'other-1']);
    expect(found.vector.map(({ text, embedding }) => [text, embedding])).toEqual([
      ['abc', 'letters-1'],
      ['xyz', 'letters-1'],
    ]);
    expect(found.vector[0]?.score).toBeCloseTo(1, 5);
    const both = await client.search('near', {
      vectors: { 'letters-1': vectorOf('abc'), 'other-1': vectorOf('abc', 4) },
      text: 'abc',
      limit: 5,
    });
    expect(both.vector.map(({ document }) => document).toSorted()).toEqual(['one', 'one', 'two']);
    expect(both.keyword.map(({ document }) => document).toSorted()).toEqual(['one', 'two']);
    expect(
      await faultOf(
        client.search('near', { vectors: { 'letters-1': vectorOf('abc', 4) }, limit: 5 }),
      ),
    ).toMatchObject({ code: 'BAD_INPUT' });
    expect(await faultOf(client.put('near', 'three', about, passagesOf(['abc'], 4)))).toMatchObject(
      { code: 'BAD_INPUT' },
    );
  });

  it('keeps to the documents that are asked for', async () => {
    for (const name of ['one', 'two', 'three']) await put('some', name, [`shared ${name}`]);
    const asked = {
      text: 'shared',
      vectors: { 'letters-1': vectorOf('shared') },
      limit: 10,
      documents: ['one', 'three', 'unknown'],
    };
    const { keyword, vector } = await client.search('some', asked);
    expect(keyword.map(({ document }) => document).toSorted()).toEqual(['one', 'three']);
    expect(vector.map(({ document }) => document).toSorted()).toEqual(['one', 'three']);
    expect((await client.search('some', { ...asked, documents: [] })).keyword).toEqual([]);
  });

  it('shows the new version of a document, and nothing of the old one or of the one it replaces', async () => {
    await put('swap', 'one', ['shared old']);
    await put('swap', 'two', ['shared other']);
    await put('swap', 'one', ['shared new'], { replaces: 'two' });
    expect(await wordsOf('swap', 'shared')).toEqual(['shared new']);
    expect(await client.document('swap', 'two')).toBeUndefined();
    await database.settled();
    expect(await wordsOf('swap', 'shared old other new')).toEqual(['shared new']);
  });

  it('writes over the generation that is named, over no later one and over none that is gone', async () => {
    await put('named', 'one', ['shared first']);
    const ifGeneration = (await client.document('named', 'one'))?.generation;
    const tries = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      put('named', 'one', [`shared ${name}`], { ifGeneration }),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(await wordsOf('named', 'shared')).toHaveLength(1);
    const later = (await client.document('named', 'one'))?.generation;
    await client.remove('named', 'one');
    for (const named of [ifGeneration, later]) {
      expect(
        await faultOf(put('named', 'one', ['shared again'], { ifGeneration: named })),
      ).toMatchObject({ code: 'PRECONDITION_FAILED' });
    }
    expect(await client.document('named', 'one')).toBeUndefined();
    for (const given of ['*', '12', '"x"', '""', '"1", "2"']) {
      expect(
        await raw('PUT', '/v1/collections/named/documents/one', '', {
          'content-type': 'application/x-ndjson',
          'if-match': given,
        }),
      ).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('If-Match') },
      });
    }
  });

  it('forgets what is deleted, and says how much that was', async () => {
    await put('gone', 'one', ['shared a', 'shared b']);
    await put('gone', 'two', ['shared c']);
    expect(await client.remove('gone', 'one')).toEqual({
      document: 'one',
      existed: true,
      passages: 2,
    });
    expect(await client.remove('gone', 'one')).toEqual({
      document: 'one',
      existed: false,
      passages: 0,
    });
    expect(await wordsOf('gone', 'shared')).toEqual(['shared c']);
    expect(await client.removeCollection('gone')).toEqual({ documents: 1, passages: 1 });
    expect(await faultOf(client.search('gone', { text: 'shared', limit: 1 }))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('never shows a reader a mixture, nothing, or two versions while a document is replaced', async () => {
    await put('race', 'one', ['shared v0', 'shared v0', 'shared v0']);
    let over = false;
    const seen = new Set<string>();
    const reader = async () => {
      while (!over) {
        const { keyword, vector } = await client.search('race', {
          text: 'shared',
          vectors: { 'letters-1': vectorOf('shared') },
          limit: 50,
        });
        seen.add(
          keyword
            .map(({ text }) => text)
            .toSorted()
            .join(),
        );
        seen.add(
          vector
            .map(({ text }) => text)
            .toSorted()
            .join(),
        );
      }
    };
    const reading = [reader(), reader()];
    for (let version = 1; version <= 12; version++)
      await put(
        'race',
        'one',
        Array.from({ length: 3 }, () => `shared v${version}`),
      );
    over = true;
    await Promise.all(reading);
    const whole = Array.from({ length: 13 }, (_, version) =>
      Array.from({ length: 3 }, () => `shared v${version}`).join(),
    );
    expect([...seen].filter((found) => !whole.includes(found))).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  });

  it('lets the last of two writings at once stand whole', async () => {
    await Promise.all(
      ['left', 'right'].map((side) => put('both', 'one', [`shared ${side}`, `shared ${side}`])),
    );
    const found = await wordsOf('both', 'shared');
    expect(found).toHaveLength(2);
    expect(new Set(found).size).toBe(1);
  });

  it('keeps everything over a restart', async () => {
    await put('stay', 'one', ['shared stay']);
    await database.stop();
    expect(await faultOf(client.document('stay', 'one'))).toMatchObject({ code: 'UNAVAILABLE' });
    await database.start();
    expect(await wordsOf('stay', 'shared')).toEqual(['shared stay']);
    expect(await wordsOf('race', 'shared')).toHaveLength(3);
  });

  it('answers to whoever has the secret only, and tells anybody no more than counts', async () => {
    for (const headers of [{ authorization: 'Bearer wrong' }, { authorization: '' }])
      expect((await raw('GET', '/v1/collections', undefined, headers)).status).toBe(401);
    const { body } = await raw('GET', '/v1/meta', undefined, { authorization: '' });
    expect(Object.keys(body).toSorted()).toEqual([
      'collections',
      'documentCount',
      'hostname',
      'modules',
      'objectCount',
      'version',
    ]);
    expect(
      (await raw('GET', '/v1/.well-known/ready', undefined, { authorization: '' })).body,
    ).toEqual({ status: 'healthy' });
  });

  it('says that it is not ready when its storage is gone', async () => {
    await rename(location, `${location}-away`);
    const { status, body } = await raw('GET', '/v1/.well-known/ready');
    await rename(`${location}-away`, location);
    expect({ status, body }).toEqual({ status: 503, body: { status: 'unhealthy' } });
    expect((await raw('GET', '/v1/.well-known/ready')).status).toBe(200);
  });

  const end = '{"end":true,"passages":1}';
  it.each([
    ['no last line', line()],
    ['a last line with another count', `${line()}\n{"end":true,"passages":2}`],
    ['something after the last line', `${line()}\n${end}\n${line()}`],
    ['a line cut in two', line().slice(0, 40)],
    ['NUL in a text', `${line({ text: 'a\0b' })}\n${end}`],
    ['NUL in a heading', `${line({ headings: ['\0'] })}\n${end}`],
    ['a wrong ordinal', `${line({ ordinal: 1 })}\n${end}`],
    ['a wrong type', `${line({ page: '3' })}\n${end}`],
    ['an end before its start', `${line({ start: 5, end: 4 })}\n${end}`],
    ['a vector that is not base64', `${line({ vector: '*' })}\n${end}`],
    ['a vector of no numbers', `${line({ vector: '' })}\n${end}`],
    [
      'a vector with infinity',
      `${line({ vector: encodeVector(new Float32Array(8).fill(Number.POSITIVE_INFINITY)) })}\n${end}`,
    ],
    ['a line that is too long', `${line({ text: 'x'.repeat(262_144) })}\n${end}`],
  ])('refuses a body with %s and stores nothing of it', async (_, body) => {
    const { status, body: answer } = await raw('PUT', '/v1/collections/bad/documents/one', body, {
      'content-type': 'application/x-ndjson',
    });
    expect({ status, said: answer.status }).toEqual({ status: 400, said: 'error' });
    expect((await raw('GET', '/v1/collections/bad/documents')).status).toBe(404);
  });

  it.each([
    ['a name with a slash', '/v1/collections/a%2Fb/documents/one', {}, 400],
    ['a name of dots', '/v1/collections/%2e%2e%20/documents/one', {}, 400],
    ['a name that is too long', `/v1/collections/${'a'.repeat(129)}/documents/one`, {}, 400],
    ['no hash', '/v1/collections/bad/documents/one', { 'x-document-hash': 'no' }, 400],
    ['a wrong space', '/v1/collections/bad/documents/one', { 'x-embedding': 'two words' }, 400],
    [
      'facts that are no object',
      '/v1/collections/bad/documents/one',
      { 'x-document-facts': '%5B1' },
      400,
    ],
    [
      'another content type',
      '/v1/collections/bad/documents/one',
      { 'content-type': 'text/plain' },
      415,
    ],
  ])('refuses %s', async (_, path, headers, status) => {
    expect(
      (
        await raw('PUT', path, `${line()}\n${end}`, {
          'content-type': 'application/x-ndjson',
          ...headers,
        })
      ).status,
    ).toBe(status);
  });

  it.each([
    { limit: 0 },
    { limit: 201 },
    { limit: '5' },
    {},
    { limit: 5, text: 'a\0' },
    { limit: 5, text: 7 },
    { limit: 5, vectors: { x: '*' } },
    { limit: 5, documents: 'one' },
  ])('refuses the search %j', async (question) => {
    await put('asked', 'one', ['words']);
    expect(
      (
        await raw('POST', '/v1/collections/asked/search', JSON.stringify(question), {
          'content-type': 'application/json',
        })
      ).status,
    ).toBe(400);
  });
});
