import type { RawTarget } from './raw-cases.ts';
import { type FuzzTarget, vaultSecret } from './target.ts';

export type RawServer = {
  name: 'api' | 'vault' | 'vector db';
  origin: string;
  targets: RawTarget[];
  /** Valid requests, whose bytes the proof changes at random. */
  requests: string[];
};

const json = 'application/json';

/** The addresses and requests with which the three servers are attacked. */
export async function rawServers({
  addresses,
  organizations: [own],
}: FuzzTarget): Promise<RawServer[]> {
  if (!own) throw new Error('an organization is needed');
  const key = `Authorization: Bearer ${own.organizationKey}\r\n`;
  const userKey = `Authorization: Bearer ${own.users[0]?.userKey}\r\n`;
  const secret = `Authorization: Bearer ${vaultSecret}\r\n`;
  const assistantId = own.assistants[0]?.id ?? '';
  const files = `/api/assistant-files/v1/assistants/${assistantId}/files`;
  const api: RawTarget[] = [
    {
      path: '/api/user-management/v1/users',
      head: key,
      write: {
        method: 'POST',
        path: '/api/user-management/v1/teams',
        type: json,
        body: '{"name":" "}',
      },
    },
    {
      path: '/api/assistants/v1/',
      head: userKey,
      write: {
        method: 'POST',
        path: files,
        type: 'multipart/form-data; boundary=edge',
        body: '--edge\r\n\r\n--edge--\r\n',
      },
    },
    {
      path: '/graphql?query=%7B__typename%7D',
      head: key,
      write: {
        method: 'POST',
        path: '/graphql',
        type: json,
        body: '{"query":"{ teams { nodes { id } } }"}',
      },
    },
    {
      path: '/livez',
      head: '',
      write: {
        method: 'POST',
        path: '/auth/sign-in/email',
        type: json,
        body: '{"email":"a@b.example","password":"wrong"}',
      },
    },
  ];
  const vault: RawTarget[] = [
    {
      path: '/health/system',
      head: secret,
      write: {
        method: 'PUT',
        path: '/v1/collections/fuzz/documents/one',
        type: 'text/plain',
        body: 'the text of a document',
      },
    },
    {
      path: '/v1/collections',
      head: secret,
      write: {
        method: 'POST',
        path: '/v1/search',
        type: json,
        body: '{"collection":"fuzz","query":"text"}',
      },
    },
  ];
  const vectorDb: RawTarget[] = [
    {
      path: '/v1/meta',
      head: secret,
      write: {
        method: 'POST',
        path: '/v1/collections/fuzz/search',
        type: json,
        body: '{"text":"text"}',
      },
    },
    {
      path: '/v1/collections',
      head: secret,
      write: {
        method: 'PUT',
        path: '/v1/collections/fuzz/documents/two',
        type: 'application/x-ndjson',
        body: '{"ordinal":0}\n',
      },
    },
  ];
  const others = [
    `GET /files/${assistantId}/none HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET /setup?token=x HTTP/1.1\r\nHost: a\r\n\r\n`,
    'GET /auth/get-session HTTP/1.1\r\nHost: a\r\nCookie: better-auth.session_token=a.b\r\n\r\n',
    'GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n\r\n',
    'GET /api/docs HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n',
    'GET /settings/members HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n',
    `POST /api/openai/v1/chat/completions HTTP/1.1\r\nHost: a\r\n${userKey}Content-Type: application/json\r\nContent-Length: 74\r\n\r\n{"model":"${assistantId}","messages":[]}`,
  ];
  return [
    {
      name: 'api',
      origin: addresses['api'] ?? '',
      targets: api,
      requests: [...requestsOf(api), ...others],
    },
    {
      name: 'vault',
      origin: addresses['vault'] ?? '',
      targets: vault,
      requests: requestsOf(vault),
    },
    {
      name: 'vector db',
      origin: addresses['vectorDb'] ?? '',
      targets: vectorDb,
      requests: requestsOf(vectorDb),
    },
  ];
}

const requestsOf = (targets: readonly RawTarget[]) =>
  targets.flatMap(({ path, head, write }) => [
    `GET ${path} HTTP/1.1\r\nHost: atrium.example\r\n${head}\r\n`,
    `${write.method} ${write.path} HTTP/1.1\r\nHost: atrium.example\r\n${head}Content-Type: ${write.type}\r\nContent-Length: ${write.body.length}\r\n\r\n${write.body}`,
    `${write.method} ${write.path} HTTP/1.1\r\nHost: atrium.example\r\n${head}Content-Type: ${write.type}\r\nTransfer-Encoding: chunked\r\n\r\n${write.body.length.toString(16)}\r\n${write.body}\r\n0\r\n\r\n`,
  ]);
