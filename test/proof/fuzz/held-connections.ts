import type { Goal } from '../../bench/goals.ts';
import { exactlyZero } from '../proof.ts';
import type { RawServer } from './raw-servers.ts';
import { waitForClose } from './raw-socket.ts';

// Headers must arrive within 10 s, which Node checks every 30 s. A JSON body has 15 s, a streamed
// body may pause for 30 s, and an idle connection may stay open for 65 s.
const silentClients = [
  {
    name: 'a request with headers that never end',
    limitMs: 45_000,
    send: (path: string, head: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${head}X-More:`,
  },
  {
    name: 'a request without its body',
    limitMs: 45_000,
    send: (_path: string, head: string, write: string) =>
      `${write} HTTP/1.1\r\nHost: a\r\n${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
  },
  {
    name: 'an idle connection',
    limitMs: 100_000,
    send: (path: string, head: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${head}\r\n`,
  },
];

/** Counts silent connections that the server does not close within its time limit. */
export async function countHeldConnections(
  servers: readonly RawServer[],
  log: (line: string) => void,
): Promise<Goal> {
  const answer = servers.flatMap(({ name, origin, targets }) =>
    targets.flatMap(({ path, head, write }) =>
      silentClients.map(async (silentClient) => {
        const { isClosed, ms } = await waitForClose(
          origin,
          silentClient.send(path, head, `${write.method} ${write.path}`),
          silentClient.limitMs,
        );
        if (!isClosed)
          log(
            `${name}: ${silentClient.name} at ${path} is open for more than ${Math.round(ms / 1000)} s`,
          );
        return isClosed;
      }),
    ),
  );
  return exactlyZero(
    'silent connections open beyond their time limit',
    (await Promise.all(answer)).filter((isClosed) => !isClosed).length,
  );
}
