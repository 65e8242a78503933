import { pbkdf2 } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressResponse } from '../../src/http/compression.ts';
import { TextResponse } from '../../src/http/text-response.ts';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { filesOf, filesPath } from '../support/files.ts';
import { serveHttp } from '../support/http-server.ts';
import { searchVaultStub } from '../support/search-vault-stub.ts';

let app: TestApp;
let vault: Awaited<ReturnType<typeof searchVaultStub>>;
let server: Awaited<ReturnType<typeof serveHttp>>;
let organization: TestOrganization;
let owner: TestPerson;
let assistantId: string;
beforeAll(async () => {
  vault = await searchVaultStub();
  app = await testApp(
    { USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' },
    { vault: vault.client },
  );
  organization = await app.organization();
  owner = await personIn(app, organization);
  assistantId = await assistantOf(owner);
  for (let index = 0; index < 20; index += 1)
    await organization.manage('POST', '/teams', { name: `Team ${index} ${'ä'.repeat(40)}` });
  server = await serveHttp(app.listener);
});
afterAll(async () => {
  server.close();
  await app.close();
  vault.client.close();
  await vault.stop();
});

const teams = '/api/user-management/v1/teams';
const question = { query: '{ teams { nodes { id name isDefault memberCount } } }' };

type SentRequest = { method?: string; headers?: Record<string, string>; body?: unknown };
type WireAnswer = { status: number; headers: Record<string, unknown>; bytes: Buffer };

/** The response as it is on the wire, with node:http, which decodes nothing. */
function ask(
  path: string,
  { method = 'GET', headers = {}, body }: SentRequest = {},
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(server.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${organization.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', async (response) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes: await buffer(response),
      }),
    );
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const decoded = ({ headers, bytes }: WireAnswer): string => {
  const coding = headers['content-encoding'];
  return (
    coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
  ).toString();
};

/** Without what differs from request to request. */
const lasting = ({ headers }: WireAnswer) => {
  const {
    date: _date,
    'x-request-id': _id,
    'x-ratelimit-remaining': _remaining,
    'x-ratelimit-reset': _reset,
    ...rest
  } = headers;
  return rest;
};

const large: [string, string, SentRequest][] = [
  ['a list of REST', teams, {}],
  ['an answer of GraphQL', '/graphql', { method: 'POST', body: question }],
  ['the OpenAPI document', '/api/openapi.json', {}],
  ['the page of the reference', '/api/docs', {}],
];

describe('a response of more than 1 kB', () => {
  it.each(['br', 'gzip'])(
    'A short one does not wait for other work of the thread pool (%s)',
    async (coding) => {
      const hash = promisify(pbkdf2);
      let isPoolFree = false;
      const occupied = Array.from({ length: 4 }, () =>
        hash('password', 'salt', 600_000, 32, 'sha512').then(() => (isPoolFree = true)),
      );
      const headers = { 'accept-encoding': coding };
      const answer = await ask(teams, { headers });
      expect(answer.headers['content-encoding']).toBe(coding);
      expect(isPoolFree).toBe(false);
      await Promise.all(occupied);
    },
  );

  it.each(large)('%s is sent in the coding that the client prefers', async (_, path, sent) => {
    const plain = await ask(path, sent);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['br;q=0.5, gzip', 'gzip'],
      ['*', 'br'],
      ['x-gzip', 'gzip'],
    ]) {
      const headers = { 'accept-encoding': accepted ?? '' };
      for (let repetition = 0; repetition < 2; repetition += 1) {
        const answer = await ask(path, { ...sent, headers });
        expect(answer.headers).toMatchObject({
          'content-encoding': coding,
          'content-length': String(answer.bytes.length),
          vary: 'Accept-Encoding',
        });
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length);
        expect(decoded(answer)).toBe(plain.bytes.toString());
      }
    }
  });

  it.each(large)(
    '%s is plain for a client that accepts no coding, and says that this depends on the header',
    async (_, path, sent) => {
      const plain = await ask(path, sent);
      for (const accepted of ['identity', 'br;q=0, gzip;q=0', '*;q=0', 'zstd', '']) {
        const answer = await ask(path, { ...sent, headers: { 'accept-encoding': accepted } });
        expect(answer.headers['content-encoding']).toBeUndefined();
        expect(answer.headers['vary']).toBe('Accept-Encoding');
        expect(answer.bytes.equals(plain.bytes)).toBe(true);
      }
    },
  );

  it('A client without Accept-Encoding gets the headers and bytes of before', async () => {
    expect(lasting(await ask(teams))).toEqual({
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'content-length': expect.any(String),
      'content-security-policy': expect.any(String),
      'content-type': 'application/json; charset=utf-8',
      'keep-alive': expect.any(String),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': '100000',
    });
    expect((await ask('/api/openapi.json')).headers['vary']).toBe('Accept-Encoding');
  });

  it.each(large.filter(([, path]) => path !== '/graphql'))(
    'HEAD of %s has the headers of GET',
    async (_, path) => {
      for (const accepted of ['br', 'gzip', 'identity']) {
        const headers = { 'accept-encoding': accepted };
        const head = await ask(path, { method: 'HEAD', headers });
        expect(head.bytes.length).toBe(0);
        expect(lasting(head)).toEqual(lasting(await ask(path, { headers })));
      }
    },
  );

  it('The fetch of Node reads compressed responses without being told', async () => {
    const plain = await ask(teams);
    const answer = await fetch(server.origin + teams, {
      headers: { authorization: `Bearer ${organization.key}` },
    });
    expect(answer.headers.get('content-encoding')).not.toBeNull();
    expect(await answer.text()).toBe(plain.bytes.toString());
  });

  it('The origins of CORS stay in Vary', async () => {
    const open = await testApp({ CORS_ORIGINS: 'https://dashboard.example' });
    const answer = await open.request('GET', '/api/openapi.json', {
      headers: { 'accept-encoding': 'gzip', origin: 'https://dashboard.example' },
    });
    expect(answer.headers.get('vary')).toBe('Origin, Accept-Encoding');
    await open.close();
  });
});

describe('responses that are not compressed', () => {
  const headers = { 'accept-encoding': 'br, gzip' };

  it('A short body is sent as it is', async () => {
    const answer = await ask(`/api/user-management/v1/users/${owner.id}`, { headers });
    expect([answer.status, answer.headers['content-encoding'], answer.headers['vary']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  it('The answer of a mutation can hold a secret, so neither the server nor a proxy compresses it', async () => {
    const query = (letter: string) =>
      `mutation { ${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
        .map((alias) => {
          const name = `${alias}${letter.repeat(150)}`;
          return `${alias}: createTeam(input: { name: "${name}" }) { team { id name } }`;
        })
        .join(' ')} }`;
    for (const [letter, more] of [
      ['x', {}],
      ['y', { 'idempotency-key': 'compression-1' }],
      ['y', { 'idempotency-key': 'compression-1' }],
    ] as const) {
      const answer = await ask('/graphql', {
        method: 'POST',
        body: { query: query(letter) },
        headers: { ...headers, ...more },
      });
      expect(answer.bytes.toString()).toContain(letter.repeat(150));
      expect(answer.bytes.length).toBeGreaterThan(1_024);
      expect([
        answer.status,
        answer.headers['content-encoding'],
        answer.headers['cache-control'],
      ]).toEqual([200, undefined, 'no-store, no-transform']);
    }
  });

  it('An event stream is sent event by event', async () => {
    const answer = await ask(`/api/assistants/v1/${assistantId}/run`, {
      method: 'POST',
      body: { messages: [{ role: 'user', content: 'Hello '.repeat(1_000) }] },
      headers: { ...headers, authorization: `Bearer ${owner.key}`, accept: 'text/event-stream' },
    });
    expect(answer.headers['content-type']).toContain('text/event-stream');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.bytes.toString()).toContain('event: ');
  });

  it('A file is sent as it was stored, as a whole and in ranges', async () => {
    const content = 'Employees get 30 days of vacation.\n'.repeat(200);
    const { body } = await filesOf(app, owner, assistantId).upload(content);
    const path = filesPath(assistantId, `/${Object(body['file']).id}/content`);
    const asOwner = { ...headers, authorization: `Bearer ${owner.key}` };
    const whole = await ask(path, { headers: asOwner });
    expect([whole.headers['content-encoding'], whole.bytes.toString()]).toEqual([
      undefined,
      content,
    ]);
    const range = await ask(path, { headers: { ...asOwner, range: 'bytes=0-1999' } });
    expect([range.status, range.headers['content-encoding'], range.bytes.length]).toEqual([
      206,
      undefined,
      2_000,
    ]);
  });
});

describe('the entity tag of a compressed response', () => {
  it('Each coding has a tag of its own, and each of them is answered with 304', async () => {
    const tags = new Set<string>();
    for (const accepted of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': accepted };
      const first = await ask('/api/openapi.json', { headers });
      const tag = String(first.headers['etag']);
      tags.add(tag);
      const again = await ask('/api/openapi.json', {
        headers: { ...headers, 'if-none-match': tag },
      });
      expect([again.status, again.headers['etag'], again.bytes.length]).toEqual([304, tag, 0]);
      // RFC 9110, section 15.4.5
      expect(again.headers['vary']).toBe(first.headers['vary']);
    }
    expect(tags.size).toBe(3);
    const other = await ask('/api/openapi.json', { headers: { 'if-none-match': '"other.br"' } });
    expect(other.status).toBe(200);
  });

  it('A resource that was not modified varies like the resource', async () => {
    const path = `/api/assistants/v1/${assistantId}`;
    const headers = { authorization: `Bearer ${owner.key}`, 'accept-encoding': 'br' };
    for (const instructions of ['Answer briefly.', 'x'.repeat(2_000)]) {
      await app.database.prisma.assistant.update({
        where: { id: assistantId },
        data: { instructions },
      });
      const first = await ask(path, { headers });
      const again = await ask(path, {
        headers: { ...headers, 'if-none-match': String(first.headers['etag']) },
      });
      expect([again.status, again.headers['vary']]).toEqual([304, first.headers['vary']]);
    }
  });

  it('If-Match takes the tag of a compressed response, but no weak one', async () => {
    const files = filesOf(app, owner, assistantId);
    const { body } = await files.upload('one');
    const path = filesPath(assistantId, `/${Object(body['file']).id}`);
    const read = await ask(path, { headers: { authorization: `Bearer ${owner.key}` } });
    const coded = `${String(read.headers['etag']).slice(0, -1)}.br"`;
    const remove = (tag: string) =>
      ask(path, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${owner.key}`, 'if-match': tag },
      });
    expect((await remove(`W/${coded}`)).status).toBe(412);
    expect((await remove('"other.br"')).status).toBe(412);
    expect((await remove(coded)).status).toBe(200);
  });
});

it('The event loop keeps turning while a large body is compressed', async () => {
  const text = JSON.stringify(Array.from({ length: 200_000 }, (_, index) => ({ id: index })));
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const compressed = await compressResponse(
    new Request('http://atrium.test/', { headers: { 'accept-encoding': 'br' } }),
    new TextResponse(text, { status: 200, headers: { 'cache-control': 'no-store' } }),
  );
  isDone = true;
  expect(compressed.headers.get('content-encoding')).toBe('br');
  expect(turns).toBeGreaterThan(3);
});
