import { createServer } from 'node:http';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
let key: string;
let url: string;
const server = createServer((request, response) => app.listener(request, response));

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  key = (await app.organization()).key;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${Object(server.address()).port}/graphql`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await app.close();
});

const withKey = (address: string | URL | Request, init: RequestInit = {}) =>
  fetch(address, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });

describe('GraphQL over HTTP conformance', () => {
  it.each(serverAudits({ url: () => url, fetchFn: withKey }))('$id $name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' });
  });
});
