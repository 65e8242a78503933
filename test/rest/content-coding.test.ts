import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { filesPath, formOf, formType } from '../support/files.ts';
import { serveHttp } from '../support/http-server.ts';
import { searchVaultStub } from '../support/search-vault-stub.ts';

let app: TestApp;
let vault: Awaited<ReturnType<typeof searchVaultStub>>;
let server: Awaited<ReturnType<typeof serveHttp>>;
let owner: TestPerson;
let organizationKey: string;
let assistantId: string;
beforeAll(async () => {
  vault = await searchVaultStub();
  app = await testApp(
    { USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' },
    { vault: vault.client },
  );
  const organization = await app.organization();
  organizationKey = organization.key;
  owner = await personIn(app, organization);
  assistantId = await assistantOf(owner);
  server = await serveHttp(app.listener);
});
afterAll(async () => {
  server.close();
  await app.close();
  vault.client.close();
  await vault.stop();
});

const megabyte = 1_048_576;
// With the default, which is 11, the 300 MB below take five seconds.
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const codings: [string, (bytes: Uint8Array) => Uint8Array<ArrayBuffer>][] = [
  ['gzip', (bytes) => new Uint8Array(gzipSync(bytes))],
  ['x-gzip', (bytes) => new Uint8Array(gzipSync(bytes))],
  ['deflate', (bytes) => new Uint8Array(deflateSync(bytes))],
  ['br', (bytes) => new Uint8Array(brotliCompressSync(bytes, fastBrotli))],
  ['GZIP', (bytes) => new Uint8Array(gzipSync(bytes))],
  ['identity', (bytes) => new Uint8Array(bytes)],
];

async function post(path: string, body: BodyInit, headers: Record<string, string>) {
  const init = {
    method: 'POST',
    headers,
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  };
  const answer = await fetch(server.origin + path, init as RequestInit);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: Object(JSON.parse(text)) };
}

const jsonHeaders = (coding: string, type = 'application/json') => ({
  authorization: `Bearer ${organizationKey}`,
  'content-type': type,
  'content-encoding': coding,
});
const teamPath = '/api/user-management/v1/teams';
let teams = 0;
const team = () => {
  teams += 1;
  return Buffer.from(JSON.stringify({ name: `Team ${teams}` }));
};

describe('a JSON body with a Content-Encoding', () => {
  it.each(codings)(
    'A %s body is decoded, with a Content-Length and in chunks',
    async (coding, encode) => {
      expect((await post(teamPath, encode(team()), jsonHeaders(coding))).status).toBe(200);
      const chunked = await post(
        teamPath,
        new Blob([encode(team())]).stream(),
        jsonHeaders(coding),
      );
      expect([chunked.status, chunked.body.team?.name]).toEqual([200, `Team ${teams}`]);
    },
  );

  it.each(codings)('A %s body is decoded at every other endpoint', async (coding, encode) => {
    const question = encode(Buffer.from(JSON.stringify({ query: '{ __typename }' })));
    expect((await post('/graphql', question, jsonHeaders(coding))).body).toEqual({
      data: { __typename: 'Query' },
    });
    const signIn = encode(
      Buffer.from(JSON.stringify({ email: 'nobody@atrium.example', password: 'wrong password' })),
    );
    expect(
      (await post('/auth/sign-in/email', signIn, { ...jsonHeaders(coding), origin: server.origin }))
        .status,
    ).toBe(401);
    const run = encode(
      Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] })),
    );
    const asOwner = { ...jsonHeaders(coding), authorization: `Bearer ${owner.key}` };
    expect((await post(`/api/assistants/v1/${assistantId}/run`, run, asOwner)).status).toBe(200);
    const chat = encode(
      Buffer.from(
        JSON.stringify({ model: assistantId, messages: [{ role: 'user', content: 'Hello' }] }),
      ),
    );
    expect((await post('/api/openai/v1/chat/completions', chat, asOwner)).status).toBe(200);
  });

  it.each(['zstd', 'compress', 'gzip, br', 'nonsense', 'toString', '*'])(
    'The coding %s is rejected with 415 and the list of supported codings',
    async (coding) => {
      for (const path of [teamPath, '/graphql', '/auth/sign-in/email']) {
        const answer = await post(path, team(), jsonHeaders(coding));
        expect([path, answer.status, answer.headers.get('accept-encoding')]).toEqual([
          path,
          415,
          'gzip, deflate, br',
        ]);
      }
    },
  );

  it('A body of another media type is rejected without the list of codings', async () => {
    const answer = await post(teamPath, gzipSync(team()), jsonHeaders('gzip', 'text/plain'));
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, null]);
  });

  it.each(['gzip', 'deflate', 'br'])(
    'A plain body that is labelled %s answers 400, and so does a truncated one',
    async (coding) => {
      const [, encode] = codings.find(([name]) => name === coding) ?? [];
      const truncated = encode?.(Buffer.from(JSON.stringify({ name: 'x'.repeat(150) }))).subarray(
        0,
        -4,
      );
      for (const body of [team(), truncated ?? '']) {
        const answer = await post(teamPath, body, jsonHeaders(coding));
        expect([answer.status, answer.body.message]).toEqual([
          400,
          expect.stringContaining(coding),
        ]);
      }
    },
  );

  it.each(['gzip', 'deflate', 'br'])(
    'A %s body that unpacks to more than the limit answers 413',
    async (coding) => {
      const [, encode] = codings.find(([name]) => name === coding) ?? [];
      const decompressionBomb = encode?.(Buffer.alloc(300 * megabyte)) ?? '';
      expect(decompressionBomb.length).toBeLessThan(megabyte);
      const before = process.memoryUsage().arrayBuffers;
      for (const path of [teamPath, '/graphql', '/auth/sign-in/email'])
        expect([path, (await post(path, decompressionBomb, jsonHeaders(coding))).status]).toEqual([
          path,
          413,
        ]);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * megabyte);
    },
  );

  it('A body that unpacks to exactly the limit is accepted', async () => {
    const start = '{"name":"Exact","more":"';
    const exact = Buffer.from(`${start}${'x'.repeat(megabyte - start.length - 2)}"}`);
    expect((await post(teamPath, gzipSync(exact), jsonHeaders('gzip'))).status).toBe(200);
    expect(
      (
        await post(
          teamPath,
          gzipSync(Buffer.concat([exact, Buffer.from(' ')])),
          jsonHeaders('gzip'),
        )
      ).status,
    ).toBe(413);
  });
});

describe('a form with a Content-Encoding', () => {
  const content = Buffer.from('Employees get 30 days of vacation.\n'.repeat(20_000));

  it.each(codings)(
    'A %s form is decoded, and its file is stored unchanged',
    async (coding, encode) => {
      const form = formOf([
        { name: 'file', fileName: 'handbook.txt', type: 'text/plain', content },
      ]);
      const headers = {
        authorization: `Bearer ${owner.key}`,
        'content-type': formType,
        'content-encoding': coding,
      };
      const { status, body } = await post(filesPath(assistantId), encode(form), headers);
      expect([status, body.file?.size]).toEqual([200, content.length]);
      const stored = await fetch(
        `${server.origin}${filesPath(assistantId)}/${body.file.id}/content`,
        { headers: { authorization: `Bearer ${owner.key}` } },
      );
      const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
      expect(hash(new Uint8Array(await stored.arrayBuffer()))).toBe(hash(content));
    },
  );

  it('A form with a file for GraphQL is decoded', async () => {
    const query =
      'mutation ($assistantId: ID!, $file: Upload!) { uploadAssistantFile(input: { assistantId: $assistantId, file: $file }) { file { size } } }';
    const form = formOf([
      {
        name: 'operations',
        content: JSON.stringify({ query, variables: { assistantId, file: null } }),
      },
      { name: 'map', content: JSON.stringify({ 0: ['variables.file'] }) },
      { name: '0', fileName: 'handbook.txt', type: 'text/plain', content },
    ]);
    const headers = {
      authorization: `Bearer ${owner.key}`,
      'content-type': formType,
      'content-encoding': 'gzip',
    };
    expect(JSON.stringify((await post('/graphql', gzipSync(form), headers)).body)).toContain(
      `"size":${content.length}`,
    );
  });

  it('A form of a run is decoded', async () => {
    const form = formOf([
      { name: 'messages', content: JSON.stringify([{ role: 'user', content: 'Hello' }]) },
    ]);
    const headers = {
      authorization: `Bearer ${owner.key}`,
      'content-type': formType,
      'content-encoding': 'br',
    };
    expect(
      (await post(`/api/assistants/v1/${assistantId}/run`, brotliCompressSync(form), headers))
        .status,
    ).toBe(200);
  });

  it('A form with an unknown coding answers 415, a plain one labelled br 400, and one that unpacks to more than the file limit 413', async () => {
    const form = formOf([
      { name: 'file', fileName: 'zeros.bin', content: Buffer.alloc(151 * megabyte) },
    ]);
    const headers = { authorization: `Bearer ${owner.key}`, 'content-type': formType };
    const smallForm = formOf([{ name: 'file', fileName: 'small.txt', content: 'small' }]);
    const unknown = await post(filesPath(assistantId), smallForm, {
      ...headers,
      'content-encoding': 'zstd',
    });
    expect([unknown.status, unknown.headers.get('accept-encoding')]).toEqual([
      415,
      'gzip, deflate, br',
    ]);
    expect(
      (await post(filesPath(assistantId), smallForm, { ...headers, 'content-encoding': 'br' }))
        .status,
    ).toBe(400);
    expect(
      (
        await post(filesPath(assistantId), gzipSync(form), {
          ...headers,
          'content-encoding': 'gzip',
        })
      ).status,
    ).toBe(413);
  });
});

describe('the content type of JSON', () => {
  it.each([
    'application/json',
    'application/json; charset=utf8',
    'application/json;charset="UTF-8"',
    'application/json;version=1',
    'application/json;',
    'Application/JSON ; version=1; charset=utf-8',
  ])('The content type %s is JSON', async (type) => {
    expect((await post(teamPath, team(), jsonHeaders('identity', type))).status).toBe(200);
  });
  it.each([
    'application/json; charset=utf-16',
    'application/jsonp',
    'application/json-patch+json',
    'text/json',
    'json',
  ])('The content type %s is not JSON', async (type) => {
    expect((await post(teamPath, team(), jsonHeaders('identity', type))).status).toBe(415);
  });
});
