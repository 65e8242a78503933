import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startVaultServers, type VaultServers } from '../support/vault-servers.ts';

let vault: VaultServers;
beforeAll(async () => {
  vault = await startVaultServers();
});
afterAll(() => vault.close());

it('The vault decodes a compressed document and rejects an unknown content coding', async () => {
  const text = Buffer.from('The bus leaves at 7:40.');
  const coded = await vault.put('timetables', 'bus', gzipSync(text), {
    'content-encoding': 'gzip',
  });
  expect([coded.status, coded.body.hash]).toEqual([
    200,
    createHash('sha256').update(text).digest('hex'),
  ]);
  const unknown = await vault.put('timetables', 'train', text, { 'content-encoding': 'zstd' });
  expect([unknown.status, unknown.headers.get('accept-encoding')]).toEqual([
    415,
    'gzip, deflate, br',
  ]);
  expect((await vault.put('timetables', 'train', text, { 'content-encoding': 'br' })).status).toBe(
    400,
  );
  expect(vault.workFiles()).toEqual([]);
});

it('The vault decodes a compressed search request', async () => {
  const question = gzipSync(JSON.stringify({ query: 'bus' }));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await vault.call('POST', '/v1/collections/timetables/search', {
    headers,
    body: question,
  });
  expect([answer.status, answer.body.passages?.[0]?.document]).toEqual([200, 'bus']);
});
