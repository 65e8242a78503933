import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createVectorDbWatch } from '../../../src/vault/monitoring/watch-vector-db.ts';
import { recordLog } from '../../support/vault.ts';

describe('createVectorDbWatch', () => {
  const server = createServer((request, response) => {
    if (request.url !== '/v1/meta' || isSilent) return;
    response.end(JSON.stringify({ documentCount: 3 }));
  });
  let isSilent = false;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  async function startWatch() {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return createVectorDbWatch({
      url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      secret: 'secret',
      log: recordLog().log,
    });
  }

  it('The vector database counts as healthy if this process was too busy to read its answer', async () => {
    const watch = await startWatch();
    const sample = watch.sample();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect(await sample).toMatchObject({ status: 'healthy', documentCount: 3 });
  });

  it('A vector database that never answers counts as unhealthy', async () => {
    isSilent = true;
    const watch = await startWatch();
    expect(await watch.sample()).toEqual({
      status: 'unhealthy',
      documentCount: null,
      latencyMs: null,
    });
  });
});
