import { vaultSecret } from '../fuzz/target.ts';
import type { AttackRequest } from './attack-request.ts';
import { textShapes } from './expensive-values.ts';

const headers = { authorization: `Bearer ${vaultSecret}`, 'content-type': 'application/json' };
const documentBytes = 3_000_000;
const collection = 'event-loop';

/** Calls of the vault: documents in each shape, the longest searches, and bodies it refuses. */
export const vaultAttacks = (): AttackRequest[] => [
  ...textShapes.flatMap((shape, index): AttackRequest[] => [
    {
      name: `vault: a document of ${shape.name}`,
      to: 'vault',
      build: () => ({
        method: 'PUT',
        path: `/v1/collections/${collection}/documents/${index}`,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: Buffer.from(shape.text(documentBytes)),
      }),
    },
    {
      name: `vault: the text of ${shape.name}`,
      to: 'vault',
      build: () => ({
        method: 'POST',
        path: '/v1/extract?charactersMax=2000000',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: Buffer.from(shape.text(documentBytes)),
      }),
    },
    {
      name: `vault: passages of ${shape.name}`,
      to: 'vault',
      build: () => ({
        method: 'GET',
        path: `/v1/collections/${collection}/documents/${index}/passages?limit=1000`,
        headers,
      }),
    },
  ]),
  ...textShapes.flatMap((shape): AttackRequest[] =>
    (['hybrid', 'keyword', 'vector'] as const).map((mode) =>
      search(`${mode} search for ${shape.name}`, {
        query: `w1 ${shape.text(3_900)}`,
        limit: 50,
        offset: 100,
        mode,
        explain: true,
      }),
    ),
  ),
  search('a search in 1,000 documents', {
    query: 'w1',
    documents: Array.from({ length: 1_000 }, (_, index) => `${index}`),
  }),
  search('a search in documents that are numbers', {
    query: 'w1',
    documents: Array.from({ length: 400_000 }, () => 1),
  }),
  search('a search for a megabyte', { query: 'a'.repeat(1_000_000) }),
];

const search = (name: string, body: object): AttackRequest => ({
  name: `vault: ${name}`,
  to: 'vault',
  build: () => ({
    method: 'POST',
    path: `/v1/collections/${collection}/search`,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  }),
});
