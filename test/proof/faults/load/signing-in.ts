import type { Chance } from '../../fuzz/chance.ts';
import { type Line, persist } from './ask.ts';
import { Ledger } from './ledger.ts';
import type { Actor, Keys } from './load.ts';

// An address has ten tries a minute.
const restMs = 3_000;
const kept = 6;

/**
 * Signs in and out: whoever was told to be signed in stays so, and who was told to be out is out.
 */
export function signingInActor(name: string, { email, password }: Keys, chance: Chance): Actor {
  const ledger = new Ledger();
  const [inside, outside] = [new Set<string>(), new Set<string>()];
  const isInside = async (line: Line, cookie: string): Promise<boolean> => {
    const { text } = await persist(line, {
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
    async step(line) {
      const [oldest] = inside;
      if (oldest !== undefined && (inside.size > kept || chance.percent(40))) {
        // From here on nobody knows, until it is answered.
        inside.delete(oldest);
        const { status } = await persist(line, {
          method: 'POST',
          path: '/auth/sign-out',
          cookie: oldest,
          json: {},
        });
        if (status === 200) outside.add(oldest);
        else ledger.faults.push(`signing out was answered ${status}`);
      } else {
        const { status, text, headers } = await persist(line, {
          method: 'POST',
          path: '/auth/sign-in/email',
          json: { email, password },
        });
        if (status === 200)
          inside.add(
            headers
              .getSetCookie()
              .map((cookie) => cookie.split(';')[0])
              .join('; '),
          );
        // Ten a minute are answered; the others are told to wait.
        else if (status !== 429)
          ledger.faults.push(`signing in was answered ${status} ${text.slice(0, 200)}`);
      }
      ledger.counts.acknowledged += 1;
    },
    async verify(line) {
      for (const cookie of inside)
        if (!(await isInside(line, cookie))) ledger.faults.push('a session that was begun is gone');
      for (const cookie of outside)
        if (await isInside(line, cookie))
          ledger.faults.push('a session that was ended is there again');
      outside.clear();
    },
  };
}
