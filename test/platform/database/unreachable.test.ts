import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { SharedReads } from '../../../src/platform/database/driver/shared-reads.ts';

const sockets: Socket[] = [];
const silentServer = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silentServer.close();
});

it('a read that gets no connection fails after the connection timeout, although new reads keep arriving', {
  timeout: 30_000,
}, async () => {
  if (!silentServer.listening) await once(silentServer, 'listening');
  const address = silentServer.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const pool = new Pool({
    host: '127.0.0.1',
    port,
    user: 'nobody',
    database: 'none',
    max: 4,
    connectionTimeoutMillis: 200,
  });
  const reads = new SharedReads(pool);
  const failed: number[] = [];
  const pending: Promise<unknown>[] = [];
  // Connection attempts follow each other, so not all reads fail at the same moment.
  while (failed.length < 20 && pending.length < 400) {
    const nth = pending.length;
    pending.push(
      reads.execute({ name: 'one', text: 'select 1', values: [] }).catch(() => failed.push(nth)),
    );
    await pause(10);
  }
  expect(pending.length).toBeLessThan(400);
  // The reads that have waited longest fail first.
  expect(failed.slice(0, 20).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, nth) => nth),
  );
  await Promise.all(pending);
  expect(reads.waiting).toBe(0);
  await pool.end();
});
