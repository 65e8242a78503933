import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { encodeVector } from '../../../src/vault/vector-db/encode-vector.ts';
import { faultOf } from '../../support/fault-of.ts';
import { passagesOf, vectorOf } from '../../support/passages.ts';
import { bearer, recordLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';
import { type VectorLocation, vectorEngines } from '../../support/vector-engines.ts';

describe.each(vectorEngines)('a vector database with $name', ({ open }) => {
  const { log } = recordLog();
  let storage: VectorLocation;
  let database: Awaited<ReturnType<typeof startVectorDb>>;
  let client: ReturnType<typeof createVectorDbClient>;

  beforeAll(async () => {
    storage = await open();
    database = await startVectorDb(storage.location, log, storage);
    client = createVectorDbClient({ url: database.url, secret: vaultSecret });
  });
  afterAll(async () => {
    await database.stop();
    await storage.remove();
  });

  const metadata = {
    hash: 'a'.repeat(64),
    embedding: 'letters-1',
    facts: { mimeType: 'text/plain' },
  };
  const put = (collection: string, document: string, texts: string[], changes: object = {}) =>
    client.put(collection, document, { ...metadata, ...changes }, passagesOf(texts));
  const wordsOf = async (collection: string, text: string) =>
    (await client.search(collection, { text, limit: 50 })).keyword.map((hit) => hit.text);
  const line = (overrides: object = {}) =>
    JSON.stringify({
      ordinal: 0,
      text: 'x',
      page: null,
      headings: [],
      start: 0,
      end: 1,
      vector: encodeVector(vectorOf('x')),
      ...overrides,
    });
  const request = async (
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${database.url}${path}`, {
      method,
      headers: {
        ...bearer(vaultSecret),
        'x-document-hash': metadata.hash,
        'x-embedding': metadata.embedding,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  describe('openVectorDb', () => {
    it('A stored document is returned with its facts, page, headings and offsets', async () => {
      await client.put(
        'give',
        'one',
        { ...metadata, lastFacts: async () => ({ pages: 3 }) },
        passagesOf(['first words', 'second words']),
      );
      expect(await client.document('give', 'one')).toMatchObject({
        document: 'one',
        hash: metadata.hash,
        passages: 2,
        facts: { mimeType: 'text/plain', pages: 3 },
      });
      const { passages } = await client.passages('give', 'one', { from: 1 });
      expect(passages).toEqual([
        {
          ordinal: 1,
          text: 'second words',
          page: 2,
          headings: ['Heading'],
          start: 1000,
          end: 1012,
        },
      ]);
      const within = async (start: number, end: number) =>
        (await client.passages('give', 'one', { start, end })).passages.map(({ text }) => text);
      expect(await within(5, 1_001)).toEqual(['first words', 'second words']);
      expect(await within(11, 1_000)).toEqual([]);
      expect(await within(11, 1_001)).toEqual(['second words']);
      expect((await client.documents('give')).documents.map(({ document }) => document)).toEqual([
        'one',
      ]);
    });

    it('Keyword search ignores case and accents, finds part numbers, and ranks rare words first', async () => {
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
    ])('The query %j is treated as plain words', async (text) => {
      await put('hostile', 'one', ['plain words']);
      expect(await wordsOf('hostile', `${text} plain`)).toEqual(['plain words']);
      expect(
        (await client.search('hostile', { text, limit: 5 })).keyword.length,
      ).toBeLessThanOrEqual(1);
    });

    it('Vector search ranks by cosine, separately in each embedding space', async () => {
      await put('near', 'one', ['abc', 'xyz']);
      await client.put(
        'near',
        'two',
        { ...metadata, embedding: 'other-1' },
        passagesOf(['abc'], 4),
      );
      const result = await client.search('near', {
        vectors: { 'letters-1': vectorOf('abc') },
        limit: 5,
      });
      expect(result.embeddings).toEqual(['letters-1', 'other-1']);
      expect(result.vector.map(({ text, embedding }) => [text, embedding])).toEqual([
        ['abc', 'letters-1'],
        ['xyz', 'letters-1'],
      ]);
      expect(result.vector[0]?.score).toBeCloseTo(1, 5);
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
      expect(
        await faultOf(client.put('near', 'three', metadata, passagesOf(['abc'], 4))),
      ).toMatchObject({ code: 'BAD_INPUT' });
    });

    it('A search returns only the requested documents', async () => {
      for (const name of ['one', 'two', 'three']) await put('some', name, [`shared ${name}`]);
      const searchInput = {
        text: 'shared',
        vectors: { 'letters-1': vectorOf('shared') },
        limit: 10,
        documents: ['one', 'three', 'unknown'],
      };
      const { keyword, vector } = await client.search('some', searchInput);
      expect(keyword.map(({ document }) => document).toSorted()).toEqual(['one', 'three']);
      expect(vector.map(({ document }) => document).toSorted()).toEqual(['one', 'three']);
      expect((await client.search('some', { ...searchInput, documents: [] })).keyword).toEqual([]);
    });

    it('A new version of a document replaces the old version and the document named in replaces', async () => {
      await put('swap', 'one', ['shared old']);
      await put('swap', 'two', ['shared other']);
      await put('swap', 'one', ['shared new'], { replaces: 'two' });
      expect(await wordsOf('swap', 'shared')).toEqual(['shared new']);
      expect(await client.document('swap', 'two')).toBeUndefined();
      await database.settled();
      expect(await wordsOf('swap', 'shared old other new')).toEqual(['shared new']);
    });

    it('A conditional write succeeds only for the live generation, not for a later or deleted one', async () => {
      await put('named', 'one', ['shared first']);
      const ifGeneration = (await client.document('named', 'one'))?.generation;
      const writes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
        put('named', 'one', [`shared ${name}`], { ifGeneration }),
      );
      const outcomes = await Promise.allSettled(writes);
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
      for (const header of ['*', '12', '"x"', '""', '"1", "2"']) {
        expect(
          await request('PUT', '/v1/collections/named/documents/one', '', {
            'content-type': 'application/x-ndjson',
            'if-match': header,
          }),
        ).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('If-Match') },
        });
      }
    });

    it('Deleting returns the number of deleted passages and removes them from search', async () => {
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

    it('A search during a replacement never finds a mixture, nothing, or two versions', async () => {
      await put('race', 'one', ['shared v0', 'shared v0', 'shared v0']);
      let overrides = false;
      const observed = new Set<string>();
      const reader = async () => {
        while (!overrides) {
          const { keyword, vector } = await client.search('race', {
            text: 'shared',
            vectors: { 'letters-1': vectorOf('shared') },
            limit: 50,
          });
          observed.add(
            keyword
              .map(({ text }) => text)
              .toSorted()
              .join(),
          );
          observed.add(
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
      overrides = true;
      await Promise.all(reading);
      const complete = Array.from({ length: 13 }, (_, version) =>
        Array.from({ length: 3 }, () => `shared v${version}`).join(),
      );
      expect([...observed].filter((result) => !complete.includes(result))).toEqual([]);
      expect(observed.size).toBeGreaterThan(1);
    });

    it('Of two simultaneous writes one is stored completely', async () => {
      await Promise.all(
        ['left', 'right'].map((side) => put('both', 'one', [`shared ${side}`, `shared ${side}`])),
      );
      const result = await wordsOf('both', 'shared');
      expect(result).toHaveLength(2);
      expect(new Set(result).size).toBe(1);
    });

    it('Documents are kept after a restart', async () => {
      await put('stay', 'one', ['shared stay']);
      await database.stop();
      expect(await faultOf(client.document('stay', 'one'))).toMatchObject({ code: 'UNAVAILABLE' });
      await database.start();
      expect(await wordsOf('stay', 'shared')).toEqual(['shared stay']);
      expect(await wordsOf('race', 'shared')).toHaveLength(3);
    });

    it('Calls without the secret answer 401, except readiness and counts', async () => {
      for (const headers of [{ authorization: 'Bearer wrong' }, { authorization: '' }])
        expect((await request('GET', '/v1/collections', undefined, headers)).status).toBe(401);
      const { body } = await request('GET', '/v1/meta', undefined, { authorization: '' });
      expect(Object.keys(body).toSorted()).toEqual([
        'collections',
        'documentCount',
        'hostname',
        'modules',
        'objectCount',
        'version',
      ]);
      expect(
        (await request('GET', '/v1/.well-known/ready', undefined, { authorization: '' })).body,
      ).toEqual({ status: 'healthy' });
    });

    it('Readiness and counts answer 401 to a wrong secret', async () => {
      for (const path of ['/v1/.well-known/ready', '/v1/meta'])
        expect(
          (await request('GET', path, undefined, { authorization: 'Bearer wrong' })).status,
        ).toBe(401);
    });

    it('The readiness check answers 503 while the storage is missing', async () => {
      await storage.hide();
      const { status, body } = await request('GET', '/v1/.well-known/ready');
      await storage.show();
      expect({ status, body }).toEqual({ status: 503, body: { status: 'unhealthy' } });
      await expect
        .poll(async () => (await request('GET', '/v1/.well-known/ready')).status)
        .toBe(200);
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
    ])('A body with %s is rejected and nothing is stored', async (_, body) => {
      const { status, body: answer } = await request(
        'PUT',
        '/v1/collections/bad/documents/one',
        body,
        {
          'content-type': 'application/x-ndjson',
        },
      );
      expect({ status, said: answer.status }).toEqual({ status: 400, said: 'error' });
      expect((await request('GET', '/v1/collections/bad/documents')).status).toBe(404);
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
    ])('A request with %s is rejected', async (_, path, headers, status) => {
      expect(
        (
          await request('PUT', path, `${line()}\n${end}`, {
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
    ])('The search request %j is rejected', async (question) => {
      await put('asked', 'one', ['words']);
      expect(
        (
          await request('POST', '/v1/collections/asked/search', JSON.stringify(question), {
            'content-type': 'application/json',
          })
        ).status,
      ).toBe(400);
    });
  });
});
