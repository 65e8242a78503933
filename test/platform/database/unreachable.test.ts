import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { readTypes } from '../../../src/platform/database/read-types.ts';
import { SharedReads } from '../../../src/platform/database/shared-reads.ts';

const sockets: Socket[] = [];
const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

it('a read for which there is no connection is given up, however many others go on asking', {
  timeout: 30_000,
}, async () => {
  if (!silent.listening) await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const pool = new Pool({
    host: '127.0.0.1',
    port,
    user: 'nobody',
    database: 'none',
    max: 4,
    connectionTimeoutMillis: 200,
  });
  const reads = new SharedReads(pool, 4);
  const givenUp: number[] = [];
  const asked: Promise<unknown>[] = [];
  // Connecting is tried again every few of these, never by all at the same moment.
  while (givenUp.length < 20 && asked.length < 400) {
    const nth = asked.length;
    asked.push(
      reads.ask({ name: 'one', text: 'select 1', types: readTypes }).catch(() => givenUp.push(nth)),
    );
    await pause(10);
  }
  expect(asked.length).toBeLessThan(400);
  // Who has waited longest is given up first.
  expect(givenUp.slice(0, 20).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 20 }, (_, nth) => nth),
  );
  await Promise.all(asked);
  expect(reads.waiting).toBe(0);
  await pool.end();
});
