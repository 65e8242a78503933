import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { passagesOf } from '../../support/passages.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { healthyVectorDb, recordLog, testVault, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

describe('/metrics', () => {
  it('/metrics requires the secret', async () => {
    const database = await healthyVectorDb();
    const vault = await testVault({ vectorDbUrl: database.url });
    expect((await vault.request('GET', '/metrics', {})).status).toBe(401);
    expect((await vault.request('GET', '/health')).status).toBe(200);
    const { status, text, headers } = await vault.request('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(/^atrium_vault_documents 7$/m);
    expect(text).toMatch(/^atrium_vault_vector_db_up 1$/m);
    expect(text).toMatch(/^atrium_http_requests_total\{operation="vaultHealth",status="200"\} 1$/m);
    await vault.close();
    await database.stop();
  });

  it('/metrics and /health/system count the documents that are moved to another embedding', async () => {
    const directory = temporaryDirectory();
    const database = await startVectorDb(join(directory.path, 'vectors'), recordLog().log);
    const client = createVectorDbClient({ url: database.url, secret: vaultSecret });
    const metadata = { hash: 'a'.repeat(64), embedding: 'letters-1', facts: {} };
    for (const name of ['one', 'two'])
      await client.put('handbook', name, metadata, passagesOf(['some words']));
    const vault = await testVault({ vectorDbUrl: database.url });
    const progress = async () => (await vault.request('GET', '/health/system')).body['reembedding'];
    await expect.poll(progress, { timeout: 60_000 }).toEqual({ done: 2, total: 2 });
    const { text } = await vault.request('GET', '/metrics');
    expect(text).toMatch(/^atrium_vault_reembedding_done 2$/m);
    expect(text).toMatch(/^atrium_vault_reembedding_total 2$/m);
    await vault.close();
    await database.stop();
    directory.remove();
  });
});
