import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVault } from '../../src/vault/vault.ts';
import { openVectorDb } from '../../src/vault/vector-db/vector-db.ts';
import { fetchInOtherProcess } from '../support/fetch-in-other-process.ts';
import { serveHttp } from '../support/http-server.ts';
import { temporaryDirectory } from '../support/process.ts';
import { bearer, configFrom, recordLog, vaultSecret } from '../support/vault.ts';

const directory = temporaryDirectory();
const client = fetchInOtherProcess();
const megabyte = 1_048_576;
const cleanups: (() => Promise<void> | void)[] = [];
let vault: string;
let vectorDb: string;
beforeAll(async () => {
  const { log } = recordLog();
  const database = await openVectorDb({
    location: join(directory.path, 'vectors'),
    secret: vaultSecret,
    log,
  });
  const databaseServer = await serveHttp(database.listener);
  const service = await createVault({
    config: configFrom(''),
    vectorDbUrl: databaseServer.origin,
    dataDirectory: directory.path,
    log,
    clock: () => new Date(),
  });
  const vaultServer = await serveHttp(service.listener);
  [vault, vectorDb] = [vaultServer.origin, databaseServer.origin];
  cleanups.push(
    vaultServer.close,
    service.stop,
    service.close,
    databaseServer.close,
    database.stop,
    database.close,
    directory.remove,
  );
});
afterAll(async () => {
  client.close();
  for (const close of cleanups) await close();
});

const put = (url: string, bytes: number, headers: Record<string, string>, times: number) =>
  client.statuses({ url, method: 'PUT', headers, body: { kind: 'bytes', bytes }, times });

const rejectedRequests: [string, number, () => string, Record<string, string>][] = [
  [
    'A request to the vault without the secret',
    401,
    () => `${vault}/v1/collections/c/documents/d`,
    {},
  ],
  [
    'A request to the vault with an unknown path',
    404,
    () => `${vault}/v1/unknown`,
    bearer(vaultSecret),
  ],
  [
    'A request to the vault with an invalid name',
    400,
    () => `${vault}/v1/collections/a%20b/documents/d`,
    bearer(vaultSecret),
  ],
  [
    'A request to the vector database without the secret',
    401,
    () => `${vectorDb}/v1/collections/c/documents/d`,
    {},
  ],
  [
    'A request to the vector database with another content type',
    415,
    () => `${vectorDb}/v1/collections/c/documents/d`,
    { ...bearer(vaultSecret), 'content-type': 'text/plain' },
  ],
];

it.each(rejectedRequests)(
  '%s is rejected while the body is still being sent, and the client reads the answer every time',
  async (_, status, url, headers) => {
    for (const [times, bytes] of [
      [50, 1_024],
      [10, 40 * megabyte],
    ] as const)
      expect(await put(url(), bytes, headers, times)).toEqual(Array(times).fill(status));
  },
);

it('The vault answers a document of 151 MB with 413', async () => {
  expect(
    await put(`${vault}/v1/collections/c/documents/d`, 151 * megabyte, bearer(vaultSecret), 3),
  ).toEqual([413, 413, 413]);
});
