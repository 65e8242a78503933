import { matching, not } from '../matchers.ts';
import type { CredentialName } from '../options.ts';
import type { Suite } from '../suite.ts';

const paths = { user: '/api/assistants/v1', organization: '/api/user-management/v1/teams' };

/** Keys: part 5, D4, D12, D42. */
export async function checkKeys(suite: Suite): Promise<void> {
  const { check, send, credentials } = suite;
  for (const [flag, kind] of [
    ['user-key', 'user'],
    ['org-key', 'organization'],
  ] as const) {
    const api = suite.api(flag, `${kind} keys`);
    if (!api) continue;
    const { key } = api;
    const path = paths[kind];
    const form = kind === 'user' ? /^sk_svc_[0-9A-Za-z]{38}$/ : /^sk_svc_um_[0-9A-Za-z]{38}$/;
    const fine = await api.get(path);
    check(`Part 5 ${kind} key opens its calls`, fine, fine.status, 200);
    check(
      `D12 ${kind} key has its prefix, 32 random characters and 6 of a checksum`,
      fine,
      form.test(key),
      true,
    );
    const changed = (at: number) =>
      key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
    const bare = kind === 'user' ? 'sk_svc_' : 'sk_svc_um_';
    const otherPrefix = (kind === 'user' ? 'sk_svc_um_' : 'sk_svc_') + key.slice(bare.length);
    for (const [what, authorization] of [
      ['an empty Authorization', ''],
      ['Bearer without a key', 'Bearer '],
      ['Basic', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
      ['the key without Bearer', key],
      ['a key whose last character is another', `Bearer ${changed(key.length - 1)}`],
      ['a key with another character in the middle', `Bearer ${changed(bare.length + 10)}`],
      ['a key that is one character short', `Bearer ${key.slice(0, -1)}`],
      ['a key that is one character long', `Bearer ${key}a`],
      ['a key in small letters', `Bearer ${key.toLowerCase()}`],
      ['a key with the prefix of the other kind', `Bearer ${otherPrefix}`],
      ['two keys', `Bearer ${key} ${key}`],
      ['the prefix alone', `Bearer ${bare}`],
    ] as const) {
      const refused = await send('GET', path, { headers: { authorization } });
      check(`D4/D12 ${kind} calls with ${what} are 401`, refused, refused.status, 401);
      check(
        `D42 ${kind} calls with ${what} tell nothing more`,
        refused,
        refused.at('message'),
        'Invalid or missing API key',
      );
    }
    const query = await send('GET', `${path}?api_key=${key}&access_token=${key}`);
    check(
      `Part 5 ${kind} key is read from the Authorization header alone`,
      query,
      query.status,
      401,
    );
  }

  for (const [flag, kind, words] of [
    ['expired-key', 'expired', /expired/i],
    ['revoked-key', 'revoked', /revoked/i],
  ] as const) {
    const api = suite.api(flag, `${kind} keys`);
    if (!api) continue;
    for (const path of Object.values(paths)) {
      const refused = await api.get(path);
      check(`D12 an ${kind} key is 401 at ${path}`, refused, refused.status, 401);
    }
    const refused = await api.get(
      api.key.startsWith('sk_svc_um_') ? paths.organization : paths.user,
    );
    check(
      `D42 the message tells that a key is ${kind}`,
      refused,
      refused.at('message'),
      matching(words),
    );
  }
  for (const [flag, path, words] of [
    ['user-key', paths.organization, /organization key/i],
    ['org-key', paths.user, /user key/i],
  ] as const satisfies readonly (readonly [CredentialName, string, RegExp])[]) {
    if (credentials[flag] === undefined) continue;
    const refused = await send('GET', path, { key: credentials[flag] });
    check(`D4 ${flag} is 401 at ${path}`, refused, refused.status, 401);
    check(
      `D42 the message tells which kind of key ${path} takes`,
      refused,
      refused.at('message'),
      matching(words),
    );
    check(
      `D42 the message at ${path} is another than for an unknown key`,
      refused,
      refused.at('message'),
      not('Invalid or missing API key'),
    );
  }
}
