import type { Goal } from '../../bench/goals.ts';
import { none } from '../proof.ts';
import type { ServerDoors } from './raw-doors.ts';
import { holdOn } from './socket.ts';

// Heads have ten seconds, and Node looks every thirty; a body of JSON has fifteen, one that comes
// in a stream thirty of silence; an idle connection 65.
const waitings = [
  {
    name: 'a head that never ends',
    limitMs: 45_000,
    send: (path: string, head: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${head}X-More:`,
  },
  {
    name: 'a body that never comes',
    limitMs: 45_000,
    send: (_path: string, head: string, write: string) =>
      `${write} HTTP/1.1\r\nHost: a\r\n${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
  },
  {
    name: 'a connection that stays idle',
    limitMs: 100_000,
    send: (path: string, head: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${head}\r\n`,
  },
];

/** Whoever neither goes on nor goes away is let go after the time that is set. */
export async function heldTooLong(
  servers: readonly ServerDoors[],
  say: (line: string) => void,
): Promise<Goal> {
  const heard = servers.flatMap(({ name, origin, doors }) =>
    doors.flatMap(({ path, head, write }) =>
      waitings.map(async (waiting) => {
        const { closed, ms } = await holdOn(
          origin,
          waiting.send(path, head, `${write.method} ${write.path}`),
          waiting.limitMs,
        );
        if (!closed)
          say(
            `${name}: ${waiting.name} at ${path} is held for more than ${Math.round(ms / 1000)} s`,
          );
        return closed;
      }),
    ),
  );
  return none(
    'silent connections held longer than their time',
    (await Promise.all(heard)).filter((closed) => !closed).length,
  );
}
