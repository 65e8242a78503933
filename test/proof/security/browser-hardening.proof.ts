import { atLeast } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { openSite } from './sign-in-site.ts';

const nestedJson = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const countWarnings = (lines: string[], text: string) =>
  lines.filter((line) => line.includes('"level":"warn"') && line.includes(text)).length;

export const proof: Proof = {
  claim:
    'Deeply nested JSON is refused, other sites cannot sign a person out, browsers keep using https, and unsafe settings are logged',
  async measure() {
    const site = await openSite({ ORIGIN: 'https://atrium.example', TRUSTED_PROXIES: '' });
    try {
      const key = { authorization: `Bearer ${site.organizationKey}` };
      const bodies = [70, 8_000].map(nestedJson);
      const deepRequests = bodies.flatMap((body) => [
        site.send('/auth/sign-in/email', body),
        site.send('/auth/sign-up/email', body),
        site.send('/auth/sign-out', body),
        site.send('/graphql', `{"query":"{ viewer { kind } }","variables":${body}}`),
        site.send('/api/user-management/v1/users', body, { headers: key }),
      ]);
      const statuses = (await Promise.all(deepRequests)).map(({ status }) => status);
      const foreignHeaders: Record<string, string>[] = [
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ];
      const signOuts = await Promise.all(
        foreignHeaders.map((headers) =>
          fetch(`${site.address}/auth/sign-out`, {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
            body: null,
          }),
        ),
      );
      const signInAnswer = await site.signIn(site);
      const cookies = signInAnswer.headers.getSetCookie();
      const pages = await Promise.all(
        ['/', '/livez', '/auth', '/auth/get-session', '/graphql', '/api/docs', '/nothing'].map(
          (path) => site.send(path, undefined),
        ),
      );
      const productionSite = await openSite({ NODE_ENV: 'production', EMAIL_VERIFICATION: 'off' });
      const insecureOrigin = countWarnings(
        productionSite.logLines(),
        'ORIGIN is not an https address',
      );
      await productionSite.close();
      return [
        exactlyZero(
          'of 10 bodies with 70 or 8,000 levels, those that were not 400',
          statuses.filter((status) => status !== 400).length,
        ),
        exactlyZero(
          'of 3 forms sent by other sites, those that sign out',
          signOuts.filter(({ headers }) => headers.getSetCookie().length > 0).length,
        ),
        exactlyZero(
          'answers without Strict-Transport-Security although ORIGIN is https',
          pages.filter(({ headers }) => !headers.has('strict-transport-security')).length,
        ),
        atLeast(1, { figure: 'cookies that a sign-in sets', value: cookies.length, unit: '' }),
        exactlyZero(
          'of those, without __Host-, Secure, HttpOnly and Path=/',
          cookies.filter((line) => !/^__Host-.*Path=\/;.*HttpOnly.*Secure/.test(line)).length,
        ),
        {
          ...exactlyZero('', 0),
          figure: 'warnings about a proxy whose X-Forwarded-For is ignored',
          value: countWarnings(site.logLines(), 'TRUSTED_PROXIES'),
          goal: '1',
          held: countWarnings(site.logLines(), 'TRUSTED_PROXIES') === 1,
        },
        {
          ...exactlyZero('', 0),
          figure: 'warnings about production without an https origin',
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
