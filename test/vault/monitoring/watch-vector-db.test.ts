import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createVectorDbWatch } from '../../../src/vault/monitoring/watch-vector-db.ts';

describe('watching the vector database', () => {
  const server = createServer((request, response) => {
    if (request.url !== '/v1/meta' || silent) return;
    response.end(JSON.stringify({ documentCount: 3 }));
  });
  let silent = false;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  async function watch() {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return createVectorDbWatch(
      `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    );
  }

  it('holds nothing against it that this process had no time to take the answer', async () => {
    const watched = await watch();
    const sample = watched.sample();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect(await sample).toMatchObject({ status: 'healthy', documentCount: 3 });
  });

  it('says of one that takes a question and never answers that it is not healthy', async () => {
    silent = true;
    const watched = await watch();
    expect(await watched.sample()).toEqual({
      status: 'unhealthy',
      documentCount: null,
      latencyMs: null,
    });
  });
});
