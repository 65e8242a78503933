import { breakBody } from './break-body.ts';
import { withOddValue } from './break-request.ts';
import type { Chance } from './chance.ts';
import { fileContents } from './forms.ts';
import type { Ask } from './send.ts';
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
 * A request to the vault or to its vector database, broken more often than not. The secret is right
 * but for a few.
 */
export function vaultAsk(chance: Chance, server: 'vault' | 'vector db'): Ask {
  const name = () => (chance.percent(25) ? chance.pick(oddNames) : chance.pick(names));
  const [collection, document] = [name(), name()];
  const path = `/v1/collections/${collection}`;
  const ask = chance.pick<
    Omit<Ask, 'headers'> & { type?: string; json?: unknown; headers?: Record<string, string> }
  >([
    { method: 'GET', path: '/v1/collections' },
    { method: 'GET', path: `${path}/documents` },
    { method: 'GET', path: `${path}/documents/${document}` },
    { method: 'GET', path: `${path}/documents/${document}/passages` },
    { method: 'DELETE', path: `${path}/documents/${document}` },
    {
      method: 'GET',
      path: chance.pick([
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
      body: chance.of(fileContents).content,
      type: 'application/octet-stream',
    },
    server === 'vault'
      ? {
          method: 'PUT',
          path: `${path}/documents/${document}`,
          body: chance.of(fileContents).content,
          type: 'application/octet-stream',
          headers: { 'x-file-name': chance.pick(['a.txt', '%', '%00', '..%2F', 'x'.repeat(300)]) },
        }
      : {
          method: 'PUT',
          path: `${path}/documents/${document}`,
          body: Buffer.from(
            `${JSON.stringify(withOddValue(chance, { ordinal: 0, text: 'text', page: null, headings: [], start: 0, end: 4, vector }))}\n`,
          ),
          type: 'application/x-ndjson',
          headers: {
            'x-document-hash': chance.pick(['a'.repeat(64), 'x', '']),
            'x-embedding': chance.pick(['hashing', 'é', '']),
            'x-document-facts': chance.pick(['%7B%7D', '%', '[]', '{']),
          },
        },
  ]);
  const authorization = chance.percent(5)
    ? chance.pick(['', 'Bearer', 'Bearer wrong', `Bearer ${vaultSecret}x`])
    : `Bearer ${vaultSecret}`;
  const json =
    ask.json === undefined || chance.percent(20) ? ask.json : withOddValue(chance, ask.json);
  const body = ask.body ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)));
  const written: Ask = {
    method: chance.percent(8)
      ? chance.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'])
      : ask.method,
    path: ask.path + (chance.percent(25) ? chance.pick(oddQueries) : ''),
    headers: {
      authorization,
      ...(body ? { 'content-type': ask.type ?? 'application/json' } : {}),
      ...ask.headers,
    },
    ...(body ? { body } : {}),
  };
  return written.body && chance.percent(20) ? breakBody(chance, written, written.body) : written;
}
