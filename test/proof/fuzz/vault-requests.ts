import { breakBody } from './break-body.ts';
import { withOddValue } from './break-request.ts';
import { fileContents } from './forms.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { HttpRequest } from './send.ts';
import { vaultSecret } from './target.ts';

const vector = Buffer.alloc(4 * 256).toString('base64');
const names = ['fuzz', 'other', 'x'.repeat(128), 'a.b-c_d'];
const oddNames = [
  '..',
  '.',
  '%2e%2e',
  '%00',
  '%ff',
  'x'.repeat(129),
  'a%2Fb',
  '%F0%9F%98%80',
  '%20',
  '%',
  '__proto__',
  'constructor',
];
const oddQueries = [
  '?limit=0',
  '?limit=-1',
  '?limit=1e3',
  '?after=%00',
  '?from=99999999999',
  '?replaces=..',
  '?minutes=NaN',
  '?start=5&end=1',
  '?charactersMax=0',
  '?limit=1&limit=2',
  '?%zz',
  '?__proto__=1',
];

/**
 * A request to the vault or its vector database, mostly broken. About 5 % have a wrong secret.
 */
export function vaultRequest(random: SeededRandom, server: 'vault' | 'vector db'): HttpRequest {
  const name = () => (random.percent(25) ? random.pick(oddNames) : random.pick(names));
  const [collection, document] = [name(), name()];
  const path = `/v1/collections/${collection}`;
  const draft = random.pick<
    Omit<HttpRequest, 'headers'> & {
      type?: string;
      json?: unknown;
      headers?: Record<string, string>;
    }
  >([
    { method: 'GET', path: '/v1/collections' },
    { method: 'GET', path: `${path}/documents` },
    { method: 'GET', path: `${path}/documents/${document}` },
    { method: 'GET', path: `${path}/documents/${document}/passages` },
    { method: 'DELETE', path: `${path}/documents/${document}` },
    {
      method: 'GET',
      path: random.pick([
        '/health',
        '/health/system',
        '/health/system/history',
        '/health/ratelimit',
        '/metrics',
        '/v1/meta',
        '/v1/.well-known/ready',
        '/',
        '/v1',
        '/nothing',
      ]),
    },
    {
      method: 'POST',
      path: `${path}/search`,
      json:
        server === 'vault'
          ? { query: 'text', limit: 5 }
          : { text: 'text', vector, embedding: 'hashing', limit: 5 },
    },
    {
      method: 'POST',
      path: '/v1/search',
      json: { collection, query: 'text', documents: ['a'], mode: 'hybrid', explain: true },
    },
    {
      method: 'POST',
      path: '/v1/extract',
      body: random.sample(fileContents).content,
      type: 'application/octet-stream',
    },
    server === 'vault'
      ? {
          method: 'PUT',
          path: `${path}/documents/${document}`,
          body: random.sample(fileContents).content,
          type: 'application/octet-stream',
          headers: { 'x-file-name': random.pick(['a.txt', '%', '%00', '..%2F', 'x'.repeat(300)]) },
        }
      : {
          method: 'PUT',
          path: `${path}/documents/${document}`,
          body: Buffer.from(
            `${JSON.stringify(withOddValue(random, { ordinal: 0, text: 'text', page: null, headings: [], start: 0, end: 4, vector }))}\n`,
          ),
          type: 'application/x-ndjson',
          headers: {
            'x-document-hash': random.pick(['a'.repeat(64), 'x', '']),
            'x-embedding': random.pick(['hashing', 'é', '']),
            'x-document-facts': random.pick(['%7B%7D', '%', '[]', '{']),
          },
        },
  ]);
  const authorization = random.percent(5)
    ? random.pick(['', 'Bearer', 'Bearer wrong', `Bearer ${vaultSecret}x`])
    : `Bearer ${vaultSecret}`;
  const json =
    draft.json === undefined || random.percent(20) ? draft.json : withOddValue(random, draft.json);
  const body = draft.body ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)));
  const request: HttpRequest = {
    method: random.percent(8)
      ? random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'])
      : draft.method,
    path: draft.path + (random.percent(25) ? random.pick(oddQueries) : ''),
    headers: {
      authorization,
      ...(body ? { 'content-type': draft.type ?? 'application/json' } : {}),
      ...draft.headers,
    },
    ...(body ? { body } : {}),
  };
  return request.body && random.percent(20) ? breakBody(random, request, request.body) : request;
}
