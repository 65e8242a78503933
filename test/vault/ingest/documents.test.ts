import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentBytesMax } from '../../../src/vault/ingest/work-directory.ts';
import { vaultSecret } from '../../support/vault.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const bytesMax = 200_000;
let vault: VaultServers;
beforeAll(async () => {
  vault = await startVaultServers({ documentBytesMax: bytesMax });
});
afterAll(() => vault.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const handbook =
  '# Holidays\n\nEverybody has **thirty** days of holidays.\n\n- not less\n- not more\n\n# Travel\n\nTrains are [preferred](https://trains.example) over the zeppelin.\n';

describe('PUT document', () => {
  it('A document is searchable when the answer arrives, and its metadata is stored', async () => {
    const { status, body } = await vault.put('library', 'handbook', handbook, {
      'x-file-name': 'B%C3%BCcher%2Fhandbook.md',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      collection: 'library',
      document: 'handbook',
      hash: sha256(handbook),
      mimeType: 'text/markdown',
      bytes: handbook.length,
      pages: null,
      passages: expect.any(Number),
      characters: expect.any(Number),
      derivations: ['markdown', 'chunks', 'embeddings'],
      notices: [],
      unchanged: false,
      searchable: true,
      searchableAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const [hit] = await vault.find('library', 'zeppelin');
    expect(hit).toMatchObject({ document: 'handbook', page: null, headings: expect.any(Array) });
    const { body: stored } = await vault.call('GET', '/v1/collections/library/documents/handbook');
    expect(stored).toMatchObject({
      document: 'handbook',
      hash: sha256(handbook),
      passages: body.passages,
      facts: {
        fileName: 'handbook.md',
        mimeType: 'text/markdown',
        bytes: handbook.length,
        pages: null,
        characters: body.characters,
      },
    });
  });

  it('The same bytes sent again change nothing, and different bytes replace the document', async () => {
    const first = await vault.put('same', 'note', 'the first words of the walrus');
    const second = await vault.put('same', 'note', 'the first words of the walrus');
    expect(second.body).toEqual({
      ...first.body,
      unchanged: true,
      searchableAt: expect.any(String),
    });
    expect(await vault.find('same', 'walrus')).toHaveLength(1);
    const third = await vault.put('same', 'note', 'the second words of the penguin');
    expect(third.body).toMatchObject({ unchanged: false });
    expect(await vault.find('same', 'walrus')).toEqual([]);
    expect(await vault.find('same', 'penguin')).toHaveLength(1);
    expect((await vault.call('GET', '/v1/collections/same/documents')).body).toMatchObject({
      documents: [{ document: 'note' }],
      next: null,
    });
  });

  it('A document that is sent six times at once is stored once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => vault.put('crowd', 'note', 'the crowd brings one ostrich')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body.unchanged === false)).toHaveLength(1);
    expect(await vault.find('crowd', 'ostrich')).toHaveLength(1);
  });

  it('A document removes the one that it replaces, even if it is stored already', async () => {
    await vault.put('swap', 'old', 'the old answer is a pelican');
    expect((await vault.put('swap', 'new?replaces=old', 'the new answer is a toucan')).status).toBe(
      200,
    );
    expect(await vault.find('swap', 'pelican')).toEqual([]);
    expect(await vault.find('swap', 'toucan')).toMatchObject([{ document: 'new' }]);
    expect((await vault.call('GET', '/v1/collections/swap/documents/old')).status).toBe(404);
    await vault.put('swap', 'older', 'an older answer is a pelican');
    expect(
      (await vault.put('swap', 'new?replaces=older', 'the new answer is a toucan')).body,
    ).toMatchObject({ unchanged: true });
    expect(await vault.find('swap', 'pelican')).toEqual([]);
    expect(
      (await vault.put('swap', 'new?replaces=new', 'the new answer is a toucan')).body,
    ).toMatchObject({ unchanged: true });
    expect(await vault.find('swap', 'toucan')).toHaveLength(1);
  });

  it('A document is not visible in other collections', async () => {
    await vault.put('mine', 'note', 'my secret is a narwhal');
    await vault.put('theirs', 'note', 'their secret is an octopus');
    expect(await vault.find('theirs', 'narwhal')).toEqual([]);
    expect(await vault.find('mine', 'octopus')).toEqual([]);
    await vault.call('DELETE', '/v1/collections/mine');
    expect(await vault.find('mine', 'narwhal')).toEqual([]);
    expect(await vault.find('theirs', 'octopus')).toHaveLength(1);
  });
});

describe('PUT document with events', () => {
  async function eventsOf(body: string, document = 'told') {
    const { status, headers, text } = await vault.put('events', document, body, {
      accept: 'text/event-stream',
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data = '']) => ({
      name,
      data: JSON.parse(data),
    }));
  }

  it('A client that accepts events gets every stage with the number of passages, and the result at the end', async () => {
    const text = Array.from(
      { length: 900 },
      (_, at) => `Paragraph ${at} tells of ${at} flamingos, and of nothing else that matters.`,
    ).join('\n\n');
    const events = await eventsOf(text);
    const stages = events.filter(({ name }) => name === 'stage').map(({ data }) => data.stage);
    expect(stages.filter((stage, at) => stage !== stages[at - 1])).toEqual([
      'EXTRACTING',
      'CHUNKING',
      'EMBEDDING',
      'INDEXING',
    ]);
    const { name, data } = events.at(-1) ?? {};
    expect(name).toBe('done');
    expect(data).toMatchObject({ document: 'told', bytes: text.length, unchanged: false });
    expect(events.findLast((event) => event.data.stage === 'INDEXING')?.data).toEqual({
      stage: 'INDEXING',
      passages: data.passages,
    });
    const again = await eventsOf(text);
    expect(again).toEqual([
      { name: 'done', data: { ...data, unchanged: true, searchableAt: expect.any(String) } },
    ]);
  });

  it('A client that accepts events gets the reason why a document cannot be read', async () => {
    expect((await eventsOf('', 'nothing')).at(-1)).toEqual({
      name: 'failed',
      data: { code: 'EMPTY', message: 'The file holds no text' },
    });
  });

  it('A client that accepts events gets an ordinary status while the file is still arriving', async () => {
    const answer = await vault.put('events', 'large', 'x'.repeat(bytesMax + 1), {
      accept: 'text/event-stream',
    });
    expect(answer).toMatchObject({
      status: 413,
      body: { status: 'error', message: `The body is larger than ${bytesMax} bytes` },
    });
  });
});

describe('invalid requests', () => {
  const calls = [
    ['PUT', '/v1/collections/c/documents/d'],
    ['GET', '/v1/collections/c/documents/d'],
    ['DELETE', '/v1/collections/c/documents/d'],
    ['GET', '/v1/collections/c/documents/d/passages'],
    ['GET', '/v1/collections/c/documents'],
    ['DELETE', '/v1/collections/c'],
    ['GET', '/v1/collections'],
    ['POST', '/v1/extract'],
  ] as const;

  it.each(calls)(
    '%s %s answers 401 without the secret and with a wrong one',
    async (method, path) => {
      const body = method === 'PUT' || method === 'POST' ? { body: 'the text' } : {};
      for (const authorization of [
        '',
        'Bearer wrong',
        `Basic ${vaultSecret}`,
        `Bearer ${vaultSecret}x`,
      ]) {
        const answer = await vault.call(method, path, { headers: { authorization }, ...body });
        expect(answer).toMatchObject({
          status: 401,
          body: { status: 'error', message: 'Invalid or missing vault secret' },
        });
      }
    },
  );

  const names = [
    '%00',
    'a%00b',
    '..%2F..%2Fetc%2Fpasswd',
    'a%20b',
    'ä',
    '%F0%9F%98%80',
    'a'.repeat(129),
    '%',
    '%zz',
  ];
  it.each(names)('A collection or document named %s is answered with 400', async (name) => {
    for (const path of [
      `/v1/collections/${name}/documents/d`,
      `/v1/collections/c/documents/${name}`,
      `/v1/collections/c/documents/d?replaces=${name}`,
    ]) {
      const answer = await vault.call('PUT', path, { body: 'the text' });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        status: 'error',
        message: expect.stringMatching(
          /^((collection|document|replaces): must be 1 to 128 |The path is not)/,
        ),
      });
    }
  });

  it('Names that consist of dots are rejected in every encoding', async () => {
    for (const path of [
      '/v1/collections/../documents/d',
      '/v1/collections/%2e%2E/documents/d',
      '/v1/collections/c/documents/%2e',
      '/v1/collections/c/documents/..',
    ]) {
      const socket = await vault.connection();
      socket.end(
        `PUT ${path} HTTP/1.1\r\nHost: vault\r\nAuthorization: Bearer ${vaultSecret}\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx`,
      );
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*must be 1 to 128 letters/s);
    }
  });

  it('A file name that is a path is reduced to its last segment', async () => {
    for (const name of ['%zz', 'a%00b', 'a%0Ab', encodeURIComponent('x'.repeat(256))]) {
      expect((await vault.put('c', 'named', 'the text', { 'x-file-name': name })).status).toBe(400);
    }
    const answer = await vault.put('c', 'named', 'the text', {
      'x-file-name': encodeURIComponent('..\\..\\C:/../etc/passwd'),
    });
    expect(answer.status).toBe(200);
    expect((await vault.call('GET', '/v1/collections/c/documents/named')).body.facts.fileName).toBe(
      'passwd',
    );
  });

  it('A document of exactly the maximum size is stored, and one more byte is answered with 413', async () => {
    expect(documentBytesMax).toBe(157_286_400);
    expect(
      (await vault.put('c', 'exact', 'walrus '.repeat(bytesMax / 7 + 1).slice(0, bytesMax))).status,
    ).toBe(200);
    expect(
      (await vault.put('c', 'over', 'walrus '.repeat(bytesMax / 7 + 2).slice(0, bytesMax + 1)))
        .status,
    ).toBe(413);
    expect((await vault.call('GET', '/v1/collections/c/documents/over')).status).toBe(404);
    expect(
      (await vault.call('POST', '/v1/extract', { body: 'x'.repeat(bytesMax + 1) })).status,
    ).toBe(413);
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'limit=-1'])(
    'A list with %s is answered with 400',
    async (query) => {
      for (const path of [
        '/v1/collections',
        '/v1/collections/c/documents',
        '/v1/collections/c/documents/d/passages',
      ]) {
        expect((await vault.call('GET', `${path}?${query}`)).body).toEqual({
          status: 'error',
          message: 'limit: must be a whole number from 1 to 1000',
        });
      }
    },
  );

  it('An unknown collection is answered with 404, and removing it removes nothing', async () => {
    for (const path of [
      '/v1/collections/unknown/documents',
      '/v1/collections/unknown/documents/d',
      '/v1/collections/unknown/documents/d/passages',
    ]) {
      expect(await vault.call('GET', path)).toMatchObject({
        status: 404,
        body: { status: 'error' },
      });
    }
    expect((await vault.call('DELETE', '/v1/collections/unknown/documents/d')).body).toEqual({
      status: 'success',
      document: 'd',
      existed: false,
      passages: 0,
    });
    expect(await vault.client.removeCollection({ collection: 'unknown' })).toEqual({
      documents: 0,
      passages: 0,
    });
  });

  it('An unsupported method is answered with 405 and the list of supported methods', async () => {
    const answer = await vault.call('POST', '/v1/collections/c/documents/d', { body: 'x' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('PUT, DELETE, GET, HEAD');
  });
});

describe('GET documents and passages', () => {
  it('Documents are listed page by page, and the offsets of passages match the text', async () => {
    const text = Array.from(
      { length: 60 },
      (_, at) =>
        `Paragraph ${at} is about the ${at}th kind of heron and goes on for a while about its feathers.`,
    ).join('\n\n');
    for (const document of ['c', 'a', 'b'])
      await vault.put('birds', document, `${document}\n\n${text}`);
    const first = await vault.client.documents({ collection: 'birds', limit: 2 });
    expect(first.documents.map(({ document }) => document)).toEqual(['a', 'b']);
    const rest = await vault.client.documents({
      collection: 'birds',
      limit: 2,
      after: first.next ?? '',
    });
    expect(rest).toMatchObject({ documents: [{ document: 'c' }], next: null });
    const passages = await vault.client.passages({ collection: 'birds', document: 'a' });
    expect(passages.map(({ ordinal }) => ordinal)).toEqual(passages.map((_, at) => at));
    expect(passages.length).toBe(first.documents[0]?.passages);
    for (const { text: passageText, start, end } of passages)
      expect(`a\n\n${text}`.slice(start, end)).toBe(passageText);
    expect(
      await vault.client.passages({ collection: 'birds', document: 'a', from: 1, limit: 1 }),
    ).toEqual(passages.slice(1, 2));
    const { body } = await vault.call('GET', '/v1/collections?limit=1000');
    expect(body.collections).toContainEqual(
      expect.objectContaining({ collection: 'birds', documents: 3 }),
    );
  });
});

describe('POST /v1/extract', () => {
  it('Extracted text is cut at the requested length and is not stored', async () => {
    const { body } = await vault.call('POST', '/v1/extract?charactersMax=12', { body: handbook });
    expect(body).toEqual({
      status: 'success',
      mimeType: 'text/markdown',
      pages: null,
      characters: 12,
      truncated: true,
      text: expect.any(String),
      pageStarts: [],
    });
    expect(body.text).toHaveLength(12);
    const complete = await vault.client.extract({ body: new Blob([handbook]).stream() });
    expect(complete).toMatchObject({ truncated: false, mimeType: 'text/markdown' });
    expect(complete.text).toContain('over the zeppelin.');
    for (const count of ['0', '2000001', 'x'])
      expect(
        (await vault.call('POST', `/v1/extract?charactersMax=${count}`, { body: 'x' })).status,
      ).toBe(400);
    const batch = (name: string) =>
      vault.call('POST', '/v1/extract', { body: handbook, headers: { 'x-batch': name } });
    expect((await batch('two words, of more than sixteen characters')).status).toBe(400);
    for (const _ of [1, 2]) expect((await batch('0123456789abcdef')).body.text).toBe(complete.text);
    expect(await vault.call('POST', '/v1/extract', { body: '' })).toMatchObject({
      status: 422,
      body: { status: 'error', code: 'EMPTY' },
    });
    expect(vault.workFiles()).toEqual([]);
  });
});
