import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { fetchInOtherProcess } from '../support/fetch-in-other-process.ts';
import { filesPath } from '../support/files.ts';
import { serveHttp } from '../support/http-server.ts';
import { temporaryDirectory } from '../support/process.ts';
import { curl } from '../support/raw-http.ts';

let app: TestApp;
let server: Awaited<ReturnType<typeof serveHttp>>;
let owner: TestPerson;
let organizationWithoutFeature: TestPerson;
let assistantId: string;
const directory = temporaryDirectory();
const client = fetchInOtherProcess();
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
  owner = await personIn(app, await app.organization());
  organizationWithoutFeature = await personIn(app, await app.organization({ features: [] }));
  assistantId = await assistantOf(owner);
  server = await serveHttp(app.listener);
});
afterAll(async () => {
  client.close();
  server.close();
  await app.close();
  directory.remove();
});

const megabyte = 1_048_576;
const kilobyte = 1_024;

/**
 * Uploads with Node's fetch, which fails if the connection is reset before it has read the
 * response.
 */
const upload = (
  path: string,
  key: string,
  bytes: number,
  times: number,
  kind: 'form' | 'stream' = 'form',
) =>
  client.statuses({
    url: server.origin + path,
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(kind === 'stream' ? { 'content-type': 'multipart/form-data; boundary=edge' } : {}),
    },
    body: { kind, bytes },
    times,
  });

const refusals: [string, number, () => { path: string; key: string }][] = [
  ['without a key', 401, () => ({ path: filesPath(assistantId), key: 'none' })],
  [
    'of an organization without the feature',
    403,
    () => ({ path: filesPath(assistantId), key: organizationWithoutFeature.key }),
  ],
  [
    'to an assistant that does not exist',
    404,
    () => ({ path: filesPath('unknown'), key: owner.key }),
  ],
  ['to a path that does not exist', 404, () => ({ path: '/api/unknown', key: owner.key })],
  ['to a page', 405, () => ({ path: '/settings', key: owner.key })],
];

describe('an upload that is rejected before its body is read', () => {
  it.each(refusals)(
    'An upload %s is answered %i to Node’s fetch each time, at 1 kB and at 40 MB',
    async (_, status, make) => {
      const { path, key } = make();
      for (const [times, bytes] of [
        [50, kilobyte],
        [10, 40 * megabyte],
      ] as const)
        expect(await upload(path, key, bytes, times)).toEqual(Array(times).fill(status));
    },
  );

  it('An upload of 151 MB answers 413, with and without a Content-Length', async () => {
    expect(await upload(filesPath(assistantId), owner.key, 151 * megabyte, 5)).toEqual(
      Array(5).fill(413),
    );
    // The form never ends, and the parser searches it to the end for its first part. The limit of
    // the body is one megabyte higher.
    expect(await upload(filesPath(assistantId), owner.key, 152 * megabyte, 2, 'stream')).toEqual([
      413, 413,
    ]);
  });

  it('A rejected upload to GraphQL gets its response', async () => {
    expect(await upload('/graphql', 'none', 40 * megabyte, 10)).toEqual(Array(10).fill(401));
  });
});

describe('a JSON body that is rejected before it is read', () => {
  it('A body of more than 1 MiB answers 413 at every endpoint', async () => {
    for (const [path, key] of [
      [`/api/assistants/v1/${assistantId}/run`, owner.key],
      ['/api/openai/v1/chat/completions', owner.key],
      ['/graphql', owner.key],
      ['/auth/sign-in/email', 'none'],
    ] as const) {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        origin: server.origin,
      };
      const statuses = await client.statuses({
        url: server.origin + path,
        method: 'POST',
        headers,
        body: { kind: 'text', bytes: 8 * megabyte },
        times: 20,
      });
      expect([path, ...statuses]).toEqual([path, ...Array(20).fill(413)]);
    }
  });

  it('The response announces that the connection is closed', async () => {
    const answer = await fetch(`${server.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'x'.repeat(8 * megabyte) }),
    });
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close']);
  });
});

describe('Expect: 100-continue', () => {
  const file = join(directory.path, 'large.bin');
  beforeAll(() => writeFileSync(file, Buffer.alloc(8 * megabyte, 1)));
  afterAll(() => rmSync(file, { force: true }));
  const send = (path: string, key: string) =>
    curl(
      '--header',
      'Expect: 100-continue',
      '--expect100-timeout',
      '30',
      '--header',
      `Authorization: Bearer ${key}`,
      '--form',
      `file=@${file}`,
      server.origin + path,
    );

  it.each(refusals)(
    'An upload %s is answered %i at once, without a 100',
    async (_, status, make) => {
      const { path, key } = make();
      const answer = await send(path, key);
      expect(answer.status).toBe(status);
      expect(answer.heads).not.toContain('HTTP/1.1 100');
    },
  );

  it('An accepted upload gets exactly one 100', async () => {
    const answer = await send(filesPath(assistantId), owner.key);
    expect([answer.status, answer.heads.split('HTTP/1.1 100 Continue').length]).toEqual([200, 2]);
  });

  it('curl gets the error of a large upload without Expect', async () => {
    const answer = await curl(
      '--header',
      'Expect:',
      '--form',
      `file=@${file}`,
      server.origin + filesPath(assistantId),
    );
    expect([answer.status, JSON.parse(answer.text).status]).toEqual([401, 'error']);
  });
});
