import { atLeast } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { openSite } from './sign-in-site.ts';

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const count = (lines: string[], text: string) =>
  lines.filter((line) => line.includes('"level":"warn"') && line.includes(text)).length;

export const proof: Proof = {
  claim:
    'Deep JSON is refused, other sites sign nobody out, https is kept to, and unsafe settings are told in the log',
  async attempt() {
    const site = await openSite({ ORIGIN: 'https://atrium.example', TRUSTED_PROXIES: '' });
    try {
      const key = { authorization: `Bearer ${site.organizationKey}` };
      const bodies = [70, 8_000].map(deep);
      const atDoors = bodies.flatMap((body) => [
        site.send('/auth/sign-in/email', body),
        site.send('/auth/sign-up/email', body),
        site.send('/auth/sign-out', body),
        site.send('/graphql', `{"query":"{ viewer { kind } }","variables":${body}}`),
        site.send('/api/user-management/v1/users', body, { headers: key }),
      ]);
      const statuses = (await Promise.all(atDoors)).map(({ status }) => status);
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ];
      const signOuts = await Promise.all(
        foreign.map((headers) =>
          fetch(`${site.address}/auth/sign-out`, {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
            body: null,
          }),
        ),
      );
      const signedIn = await site.signIn(site);
      const cookies = signedIn.headers.getSetCookie();
      const pages = await Promise.all(
        ['/', '/livez', '/auth', '/auth/get-session', '/graphql', '/api/docs', '/nothing'].map(
          (path) => site.send(path, undefined),
        ),
      );
      const production = await openSite({ NODE_ENV: 'production', EMAIL_VERIFICATION: 'off' });
      const insecureOrigin = count(production.logLines(), 'ORIGIN is not an https address');
      await production.close();
      return [
        none(
          'of 10 bodies with 70 or 8,000 levels, those that were not 400',
          statuses.filter((status) => status !== 400).length,
        ),
        none(
          'of 3 forms of other sites, those that sign out',
          signOuts.filter(({ headers }) => headers.getSetCookie().length > 0).length,
        ),
        none(
          'answers without Strict-Transport-Security where ORIGIN is https',
          pages.filter(({ headers }) => !headers.has('strict-transport-security')).length,
        ),
        atLeast(1, { figure: 'cookies that a sign-in sets', value: cookies.length, unit: '' }),
        none(
          'of those, without __Host-, Secure, HttpOnly and Path=/',
          cookies.filter((line) => !/^__Host-.*Path=\/;.*HttpOnly.*Secure/.test(line)).length,
        ),
        {
          ...none('', 0),
          figure: 'warnings of a proxy whose X-Forwarded-For is not believed',
          value: count(site.logLines(), 'TRUSTED_PROXIES'),
          goal: '1',
          held: count(site.logLines(), 'TRUSTED_PROXIES') === 1,
        },
        {
          ...none('', 0),
          figure: 'warnings of production without an https origin',
          value: insecureOrigin,
          goal: '1',
          held: insecureOrigin === 1,
        },
      ];
    } finally {
      await site.close();
    }
  },
};
