import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { filesPath } from '../support/files.ts';
import { serving } from '../support/http-server.ts';
import { temporaryDirectory } from '../support/process.ts';
import { curl } from '../support/wire.ts';

let app: TestApp;
let server: Awaited<ReturnType<typeof serving>>;
let owner: TestPerson;
let stranger: TestPerson;
let assistantId: string;
const directory = temporaryDirectory();
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
  owner = await personIn(app, await app.organization());
  stranger = await personIn(app, await app.organization({ features: [] }));
  assistantId = await assistantOf(owner);
  server = await serving(app.listener);
});
afterAll(async () => {
  server.close();
  await app.close();
  directory.remove();
});

const megabyte = 1_048_576;
const kilobyte = 1_024;

const formWith = (bytes: number): FormData => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'large.bin');
  return form;
};

/** Node's fetch, which fails when the connection is reset before it has read the answer. */
async function upload(path: string, key: string, bytes: number) {
  const answer = await fetch(server.origin + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: formWith(bytes) });
  return { status: answer.status, text: await answer.text() };
}

const refusals: [string, number, () => { path: string; key: string }][] = [
  ['without a key', 401, () => ({ path: filesPath(assistantId), key: 'none' })],
  ['of an organization without the feature', 403, () => ({ path: filesPath(assistantId), key: stranger.key })],
  ['to an assistant that does not exist', 404, () => ({ path: filesPath('unknown'), key: owner.key })],
  ['to a path that does not exist', 404, () => ({ path: '/api/unknown', key: owner.key })],
  ['to a page', 405, () => ({ path: '/settings', key: owner.key })],
];

describe('an upload that is refused before its body was read', () => {
  it.each(refusals)('%s gets its answer from Node’s fetch each time, at 1 kB and at 40 MB', async (_, status, make) => {
    const { path, key } = make();
    for (const [times, bytes] of [
      [30, kilobyte],
      [6, 40 * megabyte],
    ] as const) {
      const answers = Array.from({ length: times }, () => upload(path, key, bytes).catch((error: Error) => ({ status: String(error.cause ?? error) })));
      expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual(Array(times).fill(status));
    }
  });

  it('of 151 MB is answered with 413', async () => {
    for (let round = 0; round < 5; round += 1)
      expect(await upload(filesPath(assistantId), owner.key, 151 * megabyte)).toEqual({ status: 413, text: expect.stringContaining('larger than') });
  });

  it('of 151 MB that announces no length is answered with 413', async () => {
    const pieces = async function* () {
      yield Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n');
      for (let piece = 0; piece < 151; piece += 1) yield Buffer.alloc(megabyte);
      yield Buffer.from('\r\n--edge--\r\n');
    };
    const headers = { authorization: `Bearer ${owner.key}`, 'content-type': 'multipart/form-data; boundary=edge' };
    const asked = { method: 'POST', headers, body: Readable.toWeb(Readable.from(pieces())), duplex: 'half' };
    const answer = await fetch(server.origin + filesPath(assistantId), asked as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('in a form for the graph gets its answer', async () => {
    for (let round = 0; round < 10; round += 1) {
      const form = new FormData();
      form.append(
        'operations',
        JSON.stringify({ query: 'mutation ($file: Upload!) { uploadFile(assistantId: "unknown", file: $file) { id } }', variables: { file: null } }),
      );
      form.append('map', JSON.stringify({ 0: ['variables.file'] }));
      form.append('0', new Blob([new Uint8Array(40 * megabyte)]), 'large.bin');
      const answer = await fetch(`${server.origin}/graphql`, { method: 'POST', headers: { authorization: 'Bearer none' }, body: form });
      expect(answer.status).toBe(401);
    }
  });
});

describe('a JSON body that is refused before it was read', () => {
  const largeBody = JSON.stringify({ text: 'x'.repeat(8 * megabyte) });
  const paths = (): [string, string, string][] => [
    [`/api/assistants/v1/${assistantId}/run`, owner.key, 'POST'],
    ['/api/openai/v1/chat/completions', owner.key, 'POST'],
    ['/graphql', owner.key, 'POST'],
    ['/auth/sign-in/email', 'none', 'POST'],
  ];
  it('of more than 1 MiB is answered with 413 at every door', async () => {
    for (const [path, key, method] of paths()) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      for (let round = 0; round < 10; round += 1) {
        const answer = await fetch(server.origin + path, { method, headers, body: largeBody });
        expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, 413, 'close']);
        await answer.text();
      }
    }
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

  it.each(refusals)('an upload %s gets its refusal at once, and no 100', async (_, status, make) => {
    const { path, key } = make();
    const answer = await send(path, key);
    expect(answer.status).toBe(status);
    expect(answer.heads).not.toContain('HTTP/1.1 100');
  });

  it('an upload that is accepted is told to go on, once', async () => {
    const answer = await send(filesPath(assistantId), owner.key);
    expect([answer.status, answer.heads.split('HTTP/1.1 100 Continue').length]).toEqual([200, 2]);
  });

  it('curl gets the refusal of a large upload without an expectation', async () => {
    const answer = await curl('--header', 'Expect:', '--form', `file=@${file}`, server.origin + filesPath(assistantId));
    expect([answer.status, JSON.parse(answer.text).status]).toEqual([401, 'error']);
  });
});
