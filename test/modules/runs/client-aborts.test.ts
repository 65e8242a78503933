import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVaultClient } from '../../../src/vault/client.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { filesPath, formOf, formType } from '../../support/files.ts';
import { serveHttp } from '../../support/http-server.ts';
import { signIn } from '../../support/sign-in.ts';
import { receiver, vaultSecret } from '../../support/vault.ts';

let app: TestApp;
let vault: Awaited<ReturnType<typeof receiver>>;
let vaultClient: ReturnType<typeof createVaultClient>;
let server: Awaited<ReturnType<typeof serveHttp>>;
let owner: TestPerson;
let assistantId: string;
let cookie: string;
beforeAll(async () => {
  // A vault that accepts every request and never answers.
  vault = await receiver((request) => void request.resume());
  vaultClient = createVaultClient({ url: vault.url, secret: vaultSecret });
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: vaultClient });
  const organization = await app.organization();
  owner = await personIn(app, organization);
  assistantId = await assistantOf(owner);
  // Only administrators may search in the vault, so the assistant is shared with everybody.
  await share(owner, assistantId, 'VIEW');
  ({ cookie } = await signIn(app, organization.administratorId));
  server = await serveHttp(app.listener);
});
afterAll(async () => {
  server.close();
  vaultClient.close();
  await vault.stop();
  await app.close();
});
beforeEach(() => {
  app.logLines.length = 0;
  vault.requests.length = 0;
});

const messages = JSON.stringify([{ role: 'user', content: 'When does the bus leave?' }]);
const runForm = formOf([
  { name: 'messages', content: messages },
  {
    name: 'files',
    fileName: 'bus.txt',
    type: 'text/plain',
    content: 'The bus leaves at 7:40.\n'.repeat(20_000),
  },
]);

/** The beginning of a body that never ends. */
const beginningOf = (body: Uint8Array) =>
  new ReadableStream({ start: (controller) => controller.enqueue(body.subarray(0, 100_000)) });

type AbortedRequest = {
  path: string;
  body: BodyInit;
  type: string;
  accept?: string;
  isSession?: boolean;
};
const search = 'query ($id: ID!) { vaultSearch(assistantId: $id, query: "bus") { tookMs } }';
const cases: [string, { reachesVault: boolean; createRequest: () => AbortedRequest }][] = [
  [
    'a run whose files are being read',
    {
      reachesVault: true,
      createRequest: () => ({
        path: `/api/assistants/v1/${assistantId}/run`,
        body: runForm,
        type: formType,
      }),
    },
  ],
  [
    'a streamed run whose files are being read',
    {
      reachesVault: true,
      createRequest: () => ({
        path: `/api/assistants/v1/${assistantId}/run`,
        body: runForm,
        type: formType,
        accept: 'text/event-stream',
      }),
    },
  ],
  [
    'the upload of the form of a run',
    {
      reachesVault: false,
      createRequest: () => ({
        path: `/api/assistants/v1/${assistantId}/run`,
        body: beginningOf(runForm),
        type: formType,
      }),
    },
  ],
  [
    'a run that searches',
    {
      reachesVault: true,
      createRequest: () => ({
        path: `/api/assistants/v1/${assistantId}/run`,
        body: `{"messages":${messages}}`,
        type: 'application/json',
      }),
    },
  ],
  [
    'a streamed run that searches',
    {
      reachesVault: true,
      createRequest: () => ({
        path: `/api/assistants/v1/${assistantId}/run`,
        body: `{"messages":${messages}}`,
        type: 'application/json',
        accept: 'text/event-stream',
      }),
    },
  ],
  [
    'a chat completion that searches',
    {
      reachesVault: true,
      createRequest: () => ({
        path: '/api/openai/v1/chat/completions',
        body: `{"model":"${assistantId}","messages":${messages}}`,
        type: 'application/json',
      }),
    },
  ],
  [
    'a search over GraphQL',
    {
      reachesVault: true,
      createRequest: () => ({
        path: '/graphql',
        body: JSON.stringify({ query: search, variables: { id: assistantId } }),
        type: 'application/json',
        isSession: true,
      }),
    },
  ],
  [
    'an upload',
    {
      reachesVault: false,
      createRequest: () => ({
        path: filesPath(assistantId),
        body: beginningOf(
          formOf([{ name: 'file', fileName: 'a.txt', content: 'x'.repeat(300_000) }]),
        ),
        type: formType,
      }),
    },
  ],
  [
    'the upload of a JSON body',
    {
      reachesVault: false,
      createRequest: () => ({
        path: '/graphql',
        body: beginningOf(Buffer.from(`{"query":"${'x'.repeat(300_000)}`)),
        type: 'application/json',
      }),
    },
  ],
];

describe('A client that aborts a request', () => {
  it.each(cases)(
    'Aborting %s closes the connection and logs no warning or error',
    async (_, { reachesVault, createRequest }) => {
      const { path, body, type, accept = 'application/json', isSession = false } = createRequest();
      const client = new AbortController();
      const received = once(server.server, 'request');
      const credentials: Record<string, string> = isSession
        ? { cookie, origin: server.origin }
        : { authorization: `Bearer ${owner.key}` };
      const headers = { ...credentials, 'content-type': type, accept };
      const requestInit = { method: 'POST', headers, body, duplex: 'half', signal: client.signal };
      const answer = fetch(server.origin + path, requestInit as RequestInit).then((response) =>
        response.text(),
      );
      answer.catch(() => undefined);
      const connections = () =>
        new Promise<number>((resolve) =>
          server.server.getConnections((__, count) => resolve(count)),
        );
      await received;
      if (reachesVault)
        await expect.poll(() => vault.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
      client.abort();
      await expect(answer).rejects.toThrow();
      await expect
        .poll(() => app.logLines.filter((line) => line.includes('"answered"')).length, {
          timeout: 30_000,
        })
        .toBe(1);
      await expect.poll(connections, { timeout: 30_000 }).toBe(0);
      expect(app.logLines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toEqual([]);
    },
  );
});
