import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { databaseOn } from '../../../src/platform/database/database.ts';
import { isUnavailable } from '../../../src/platform/database/faults.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { serverUrl } from '../../support/database.ts';
import { quietLog } from '../../support/quiet-log.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** A way to the server on which nothing moves while it is held. */
async function wayTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  let isHeld = false;
  const way = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => to.write(bytes));
      if (isHeld) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    way.close();
  });
  const address = way.address();
  const held = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(typeof address === 'object' && address?.port) });
  const each = (move: (socket: Socket) => void) => {
    for (const socket of sockets) move(socket);
  };
  return {
    url: held.href,
    hold() {
      isHeld = true;
      each((socket) => socket.pause());
    },
    letGo() {
      isHeld = false;
      each((socket) => socket.resume());
    },
  };
}

it.skipIf(!serverUrl)('a server that keeps its connections and answers nothing is known to be away, and found again right after', async () => {
  const way = await wayTo(serverUrl ?? '');
  const database = databaseOn(openPostgres({ databaseUrl: way.url, log: quietLog }), { poolSize: 2, log: quietLog });
  closing.push(database.close);
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  way.hold();
  const asked = [database.sql`select 1`, database.prisma.$queryRaw`select 1`, database.prisma.$transaction((tx) => tx.$queryRaw`select 1`), database.ping()];
  const faults = (await Promise.allSettled(asked)).map((settled) =>
    settled.status === 'rejected' ? isUnavailable(settled.reason) || settled.reason : settled.value,
  );
  expect(faults).toEqual([true, true, true, true]);
  way.letGo();
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(await database.prisma.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
});
