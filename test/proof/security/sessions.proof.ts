import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { cookiesOf, openSite } from './sign-in-site.ts';

const dayMs = 86_400_000;
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0';
const expectedActions = ['fail-sign-in', 'request-password-reset', 'sign-in', 'sign-out'];

type StoredSession = { token: string; createdAt: string; expiresAt: string };
type StoredEntry = { entry: { action: string; network?: string | null; device?: string | null } };

export const proof: Proof = {
  claim:
    'Stored session tokens are useless for signing in, no session outlives thirty days, and the audit log records sign-ins',
  async measure({ log }) {
    const directory = temporaryDirectory();
    const withDatabase = async <T>(
      read: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
    ): Promise<T> => {
      const database = await openDatabase({ dataDir: directory.path, log: quietLog });
      return read(database).finally(() => database.close());
    };
    const settings = { DATA_DIR: directory.path };
    const headers = { 'user-agent': firefox };
    try {
      const site = await openSite(settings);
      const { email, password } = site;
      const cookie = cookiesOf(
        await site.signIn({ email, password }, { network: '192.0.2.1', headers }),
      );
      const secondCookie = cookiesOf(
        await site.signIn({ email, password }, { network: '192.0.2.2', headers }),
      );
      await site.post(
        '/auth/sign-out',
        {},
        { network: '192.0.2.2', cookie: secondCookie, headers },
      );
      await site.signIn({ email, password: 'a wrong password' }, { network: '192.0.2.3', headers });
      await site.post('/auth/request-password-reset', { email }, { network: '192.0.2.4', headers });
      await pause(1_500);
      await site.close();

      const token = /session_token=([^;.]+)/.exec(decodeURIComponent(cookie))?.[1] ?? '';
      const stored = await withDatabase(async ({ sql }) => {
        const tokens = await sql<{ token: string }>`select token from sessions`;
        const entries =
          await sql<StoredEntry>`select to_jsonb(e) as entry from audit_entries e where action = any(${expectedActions})`;
        await sql`update sessions set created_at = ${new Date(Date.now() - 29 * dayMs)}, expires_at = ${new Date(Date.now() + dayMs / 2)}`;
        return { tokens, entries: entries.map(({ entry }) => entry) };
      });

      const restartedSite = await openSite(settings);
      const renewed = await restartedSite.send('/auth/get-session', undefined, { cookie });
      await restartedSite.close();
      const [session] = await withDatabase(
        ({ sql }) =>
          sql<StoredSession>`select token, created_at as "createdAt", expires_at as "expiresAt" from sessions`,
      );
      const lifeDays = session
        ? (Date.parse(session.expiresAt) - Date.parse(session.createdAt)) / dayMs
        : 0;
      log(
        `a session in use on its 29th day: ${renewed.status}, ends ${lifeDays.toFixed(2)} days after its sign-in`,
      );

      const recordedEntries = stored.entries.filter(
        ({ network, device }) => network?.startsWith('192.0.2.') && device === 'Firefox on Windows',
      );
      return [
        atLeast(1, { figure: 'sessions in the database', value: stored.tokens.length, unit: '' }),
        exactlyZero(
          'of those, whose stored token is the one in the cookie',
          stored.tokens.filter((row) => row.token === token).length,
        ),
        atMost(30, {
          figure: 'lifetime of a session in use',
          value: Math.round(100 * lifeDays) / 100,
          unit: 'days',
        }),
        atLeast(29, {
          figure: 'lifetime of a session in use, lower bound',
          value: Math.round(100 * lifeDays) / 100,
          unit: 'days',
        }),
        atLeast(expectedActions.length, {
          figure: `of ${expectedActions.join(', ')}, those in the audit log with network and device`,
          value: new Set(recordedEntries.map(({ action }) => action)).size,
          unit: '',
        }),
      ];
    } finally {
      directory.remove();
    }
  },
};
