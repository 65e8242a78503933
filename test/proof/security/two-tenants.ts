import { request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { allocatorSettings } from '../../support/allocator-settings.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { type DatabaseKind, serverUrl } from '../faults/data-location.ts';
import { seedOrganizations } from './demo-people.ts';

export type TwoTenants = Awaited<ReturnType<typeof openTwoTenants>>;
export type Tenant = ReturnType<typeof tenantOf>;
export type SeededOrganization = {
  slug: string;
  id: string;
  users: { role: string; userKey: string }[];
  assistants: { id: string }[];
};

/**
 * The real server with two organizations that have every feature, each with an assistant and a user
 * key.
 */
export async function openTwoTenants(kind: DatabaseKind, settings: Record<string, string> = {}) {
  const directory = temporaryDirectory();
  const postgres = kind === 'postgres' ? await emptyDatabase(serverUrl) : undefined;
  const serverSettings = {
    DATA_DIR: directory.path,
    LOG_LEVEL: 'info',
    // As `npm start` and the image do.
    ...allocatorSettings,
    NODE_OPTIONS: '--max-semi-space-size=64',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...settings,
  };
  const organizations: SeededOrganization[] = await seedOrganizations(serverSettings);
  const server = await start(serverSettings);
  const [hostile, quiet] = organizations.map((seeded) => tenantOf(server.address, seeded));
  if (!hostile || !quiet) throw new Error('the seed created fewer than two organizations');
  return {
    hostile,
    quiet,
    address: server.address,
    seeded: { hostile: organizations[0], quiet: organizations[1] },
    async close() {
      server.process.kill('SIGKILL');
      await server.ended;
      await postgres?.server.close();
      directory.remove();
    },
  };
}

type TenantAnswer = { status: number; headers: Headers; body: Record<string, unknown> };

/** A client of one organization that uses the key of its first administrator. */
export function tenantOf(address: string, { users, assistants }: SeededOrganization) {
  const key = users.find(({ role }) => role === 'admin')?.userKey ?? '';
  const assistantId = assistants[0]?.id ?? '';
  const files = `/api/assistant-files/v1/assistants/${assistantId}/files`;

  async function send(
    method: string,
    path: string,
    body?: BodyInit,
    headers: Record<string, string> = {},
  ): Promise<TenantAnswer> {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: Object(await response.json()),
    };
  }
  const sendJson = (path: string, body: object) =>
    send('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
  const upload = (text: string) => {
    const form = new FormData();
    form.append('file', new Blob([text], { type: 'text/plain' }), 'notes.txt');
    return send('POST', files, form);
  };
  async function waitUntilProcessed(
    id: string,
    waitMs = 120_000,
  ): Promise<Record<string, unknown>> {
    for (const endsAt = performance.now() + waitMs; performance.now() < endsAt; ) {
      const file = (await send('GET', `${files}/${id}`)).body;
      if (file['processingStatus'] === 'COMPLETED' || file['processingStatus'] === 'FAILED')
        return { ...file, id };
      await pause(20);
    }
    throw new Error(`a file was not processed within ${waitMs} ms`);
  }
  return {
    assistantId,
    /** Waits until a file is processed, and returns it. */
    waitUntilProcessed,
    send,
    upload,
    /** Streams the body of an upload. */
    async stream(
      method: 'POST',
      body: AsyncGenerator<Uint8Array>,
      headers: Record<string, string>,
    ): Promise<TenantAnswer> {
      const [path, options] = [
        `${address}${files}`,
        { method, headers: { authorization: `Bearer ${key}`, ...headers } },
      ];
      return new Promise((resolve, reject) => {
        const request = httpRequest(path, options, async (response) => {
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(response.headers as Record<string, string>),
            body: Object(await json(response)),
          });
        });
        // The server answers a refused upload early and closes the connection.
        request.on('error', reject);
        pipeline(body, request, () => undefined);
      });
    },
    files: () => send('GET', files),
    remove: (id: string) => send('DELETE', `${files}/${id}`),
    graph: (query: string) => sendJson('/graphql', { query }),
    run: (question: string) =>
      sendJson(`/api/assistants/v1/${assistantId}/run`, {
        messages: [{ role: 'user', content: question }],
      }),
    /** Uploads a text, waits until it is processed, and returns the file. */
    async uploadAndWait(text: string, waitMs = 120_000): Promise<Record<string, unknown>> {
      const { status, body } = await upload(text);
      if (status !== 200)
        throw new Error(`an upload was answered ${status}: ${JSON.stringify(body)}`);
      return waitUntilProcessed(fileIdIn(body), waitMs);
    },
  };
}

export const fileIdIn = (body: Record<string, unknown>): string => String(Object(body['file']).id);
