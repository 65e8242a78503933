import type { SeededRandom } from '../../fuzz/seeded-random.ts';
import { Ledger } from './ledger.ts';
import type { DemoKeys, LoadActor } from './mixed-load.ts';
import { type ServerAddress, sendUntilDone } from './send-request.ts';

// One network may try ten sign-ins a minute for an account.
const restMs = 3_000;
const openSessionsMax = 6;

/** Signs in and out. A session must stay open until it is signed out, and never work afterwards. */
export function signInActor(
  name: string,
  { email, password }: DemoKeys,
  random: SeededRandom,
): LoadActor {
  const ledger = new Ledger();
  const [openSessions, endedSessions] = [new Set<string>(), new Set<string>()];
  const isSignedIn = async (server: ServerAddress, cookie: string): Promise<boolean> => {
    const { text } = await sendUntilDone(server, {
      method: 'POST',
      path: '/graphql',
      cookie,
      json: { query: '{ viewer { person { email } } }' },
    });
    return text.includes(email);
  };

  return {
    name,
    ledger,
    restMs,
    async step(server) {
      const [oldest] = openSessions;
      if (oldest !== undefined && (openSessions.size > openSessionsMax || random.percent(40))) {
        // Until the answer, it is unknown whether the session still exists.
        openSessions.delete(oldest);
        const { status } = await sendUntilDone(server, {
          method: 'POST',
          path: '/auth/sign-out',
          cookie: oldest,
          json: {},
        });
        if (status === 200) endedSessions.add(oldest);
        else ledger.faults.push(`signing out was answered ${status}`);
      } else {
        const { status, text, headers } = await sendUntilDone(server, {
          method: 'POST',
          path: '/auth/sign-in/email',
          json: { email, password },
        });
        if (status === 200)
          openSessions.add(
            headers
              .getSetCookie()
              .map((cookie) => cookie.split(';')[0])
              .join('; '),
          );
        // Beyond ten sign-ins a minute 429 is the right answer.
        else if (status !== 429)
          ledger.faults.push(`signing in was answered ${status} ${text.slice(0, 200)}`);
      }
      ledger.counts.acknowledged += 1;
    },
    async verify(server) {
      for (const cookie of openSessions)
        if (!(await isSignedIn(server, cookie))) ledger.faults.push('an open session was lost');
      for (const cookie of endedSessions)
        if (await isSignedIn(server, cookie))
          ledger.faults.push('a session that was signed out works again');
      endedSessions.clear();
    },
  };
}
