import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf, formOf, formType } from '../../support/files.ts';
import { mulberry32 } from '../../support/mulberry32.ts';
import { temporaryDirectory } from '../../support/process.ts';

const clientCount = 200;
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

let app: TestApp;
let ada: TestPerson;
let files: ReturnType<typeof filesOf>;
let server: Server;
let port: number;
const directory = temporaryDirectory();
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000', DATA_DIR: directory.path });
  ada = await personIn(app, await app.organization());
  files = filesOf(app, ada, await assistantOf(ada));
  server = createServer({ requestTimeout: 0 }, app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
  directory.remove();
});

const openFiles = () => readdirSync('/proc/self/fd').length;
const partialFiles = () => readdirSync(join(directory.path, 'files', 'incoming'));

/** Sends the first bytes of a request, waits, and disconnects. */
async function sendAndDisconnect(
  head: string[],
  body: Buffer,
  bytes: number,
  pauseMs: number,
): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const requestBytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]).subarray(
    0,
    bytes,
  );
  socket.write(requestBytes);
  await wait(pauseMs);
  socket.destroy();
}

describe.skipIf(process.platform !== 'linux')('Clients that disconnect', () => {
  it(`${clientCount} clients that disconnect during an upload leave no partial file, row or file descriptor (seed ${seed})`, async () => {
    await files.upload('makes the directories');
    const random = mulberry32(seed);
    const [rowsBefore, openFilesBefore] = [
      await app.database.prisma.assistantFile.count(),
      openFiles(),
    ];
    const body = formOf([
      { name: 'file', fileName: 'large.bin', content: Buffer.alloc(400_000, 1) },
    ]);
    const head = ['POST', 'PUT'].map((method) => [
      `${method} ${files.path(method === 'PUT' ? '/unknown' : '')} HTTP/1.1`,
      'Host: atrium.test',
      `Authorization: Bearer ${ada.key}`,
      `Content-Type: ${formType}`,
    ]);
    const disconnects = Array.from({ length: clientCount }, (_, index) => {
      const framing =
        index % 3 === 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
      const framedBody =
        index % 3 === 0
          ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body])
          : body;
      // At most all bytes but the last: a complete upload would be stored.
      return sendAndDisconnect(
        [...(head[index % 10 === 9 ? 1 : 0] ?? []), framing],
        framedBody,
        20 + Math.floor(random() * (framedBody.length - 1)),
        random() * 200,
      );
    });
    await Promise.all(disconnects);
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))), {
        timeout: 60_000,
      })
      .toBe(0);
    await expect.poll(partialFiles, { timeout: 60_000 }).toEqual([]);
    await expect.poll(openFiles, { timeout: 60_000 }).toBeLessThanOrEqual(openFilesBefore + 2);
    expect(await app.database.prisma.assistantFile.count()).toBe(rowsBefore);
    expect(app.logLines.filter((line) => /unexpected error|cannot be reached/.test(line))).toEqual(
      [],
    );
  });

  it.each(['/api/assistants/v1/unknown/run', '/graphql'])(
    'A client that disconnects during a JSON body for %s causes no error in the log',
    async (path) => {
      const requestId = `disconnects-${path.replaceAll('/', '-')}`;
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: atrium.test',
        `X-Request-Id: ${requestId}`,
        `Authorization: Bearer ${ada.key}`,
        'Content-Type: application/json',
        'Content-Length: 900',
      ];
      await sendAndDisconnect(head, Buffer.from('{"query":"{ viewer { id } }'), 10_000, 50);
      await expect
        .poll(() => app.logLines.filter((line) => line.includes(requestId)))
        .toEqual([expect.stringContaining('"answered"')]);
      expect(
        app.logLines.filter((line) => /unexpected error|cannot be reached/.test(line)),
      ).toEqual([]);
    },
  );

  it('Clients that disconnect during a download leave no file descriptor', async () => {
    const id = fileIdIn(await files.upload(Buffer.alloc(20_000_000, 1)));
    const openFilesBefore = openFiles();
    const head = [
      `GET ${files.path(`/${id}/content`)} HTTP/1.1`,
      'Host: atrium.test',
      `Authorization: Bearer ${ada.key}`,
    ];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        sendAndDisconnect(head, Buffer.alloc(0), 10_000, 5 * index),
      ),
    );
    await expect.poll(openFiles, { timeout: 60_000 }).toBeLessThanOrEqual(openFilesBefore + 2);
  });
});

describe('A large upload that is refused', () => {
  it.each([
    ['An upload without a key', 401, () => ({ path: files.path(), key: 'none' })],
    [
      'An upload to an unknown assistant',
      404,
      () => ({ path: filesOf(app, ada, 'unknown').path(), key: ada.key }),
    ],
    [
      'An upload whose announced size is too large',
      413,
      () => ({ path: files.path(), key: ada.key, bytes: 200_000_000 }),
    ],
  ])('%s gets its answer while it is still being sent', async (_, status, createUpload) => {
    const { path, key, bytes = 150_000_000 } = { bytes: undefined, ...createUpload() };
    const chunk = Buffer.alloc(1_000_000, 1);
    const clientRequest = request({
      port,
      path,
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': formType,
        'content-length': bytes,
      },
    });
    clientRequest.on('error', () => undefined);
    const response = once(clientRequest, 'response');
    let written = 0;
    const write = () => {
      while (written < bytes && !clientRequest.destroyed) {
        written += chunk.length;
        if (!clientRequest.write(chunk)) return void clientRequest.once('drain', write);
      }
    };
    write();
    const [answer] = await response;
    expect(answer.statusCode).toBe(status);
    clientRequest.destroy();
  });
});
