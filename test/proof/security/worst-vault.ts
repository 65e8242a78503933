import { vaultSecret } from '../fuzz/target.ts';
import type { Attack } from './attack.ts';
import { shapes } from './worst-values.ts';

const headers = { authorization: `Bearer ${vaultSecret}`, 'content-type': 'application/json' };
const documentBytes = 3_000_000;
const collection = 'event-loop';

/**
 * The vault's own calls: documents in each shape, the longest questions about them, and bodies that
 * are refused.
 */
export const vaultAttacks = (): Attack[] => [
  ...shapes.flatMap((shape, index): Attack[] => [
    {
      name: `vault: a document of ${shape.name}`,
      to: 'vault',
      ask: () => ({
        method: 'PUT',
        path: `/v1/collections/${collection}/documents/${index}`,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: Buffer.from(shape.text(documentBytes)),
      }),
    },
    {
      name: `vault: the text of ${shape.name}`,
      to: 'vault',
      ask: () => ({
        method: 'POST',
        path: '/v1/extract?charactersMax=2000000',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: Buffer.from(shape.text(documentBytes)),
      }),
    },
    {
      name: `vault: passages of ${shape.name}`,
      to: 'vault',
      ask: () => ({
        method: 'GET',
        path: `/v1/collections/${collection}/documents/${index}/passages?limit=1000`,
        headers,
      }),
    },
  ]),
  ...shapes.flatMap((shape): Attack[] =>
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
  search('a search in documents that are none', {
    query: 'w1',
    documents: Array.from({ length: 400_000 }, () => 1),
  }),
  search('a search for a megabyte', { query: 'a'.repeat(1_000_000) }),
];

const search = (name: string, body: object): Attack => ({
  name: `vault: ${name}`,
  to: 'vault',
  ask: () => ({
    method: 'POST',
    path: `/v1/collections/${collection}/search`,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  }),
});
