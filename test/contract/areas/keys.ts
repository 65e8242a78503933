import { matching, not } from '../matchers.ts';
import type { CredentialName } from '../options.ts';
import type { Suite } from '../suite.ts';

const paths = { user: '/api/assistants/v1', organization: '/api/user-management/v1/teams' };

/** API keys: part 5, decisions D4, D12, D42. */
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
    const pattern = kind === 'user' ? /^sk_svc_[0-9A-Za-z]{38}$/ : /^sk_svc_um_[0-9A-Za-z]{38}$/;
    const accepted = await api.get(path);
    check(`Part 5 ${kind} key is accepted`, accepted, accepted.status, 200);
    check(
      `D12 ${kind} key has its prefix, 32 random characters and a checksum of 6`,
      accepted,
      pattern.test(key),
      true,
    );
    const withOtherCharacter = (at: number) =>
      key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
    const keyPrefix = kind === 'user' ? 'sk_svc_' : 'sk_svc_um_';
    const otherPrefix = (kind === 'user' ? 'sk_svc_um_' : 'sk_svc_') + key.slice(keyPrefix.length);
    for (const [description, authorization] of [
      ['an empty Authorization', ''],
      ['Bearer without a key', 'Bearer '],
      ['Basic', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
      ['the key without Bearer', key],
      ['a key with another last character', `Bearer ${withOtherCharacter(key.length - 1)}`],
      [
        'a key with another character in the middle',
        `Bearer ${withOtherCharacter(keyPrefix.length + 10)}`,
      ],
      ['a key that is one character too short', `Bearer ${key.slice(0, -1)}`],
      ['a key that is one character too long', `Bearer ${key}a`],
      ['a key in lower case', `Bearer ${key.toLowerCase()}`],
      ['a key with the prefix of the other kind', `Bearer ${otherPrefix}`],
      ['two keys', `Bearer ${key} ${key}`],
      ['the prefix alone', `Bearer ${keyPrefix}`],
    ] as const) {
      const refused = await send('GET', path, { headers: { authorization } });
      check(`D4/D12 ${kind} calls with ${description} are 401`, refused, refused.status, 401);
      check(
        `D42 ${kind} calls with ${description} get the same message`,
        refused,
        refused.at('message'),
        'Invalid or missing API key',
      );
    }
    const query = await send('GET', `${path}?api_key=${key}&access_token=${key}`);
    check(
      `Part 5 ${kind} key is read only from the Authorization header`,
      query,
      query.status,
      401,
    );
  }

  for (const [flag, kind, message] of [
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
      `D42 the message says that the key is ${kind}`,
      refused,
      refused.at('message'),
      matching(message),
    );
  }
  for (const [flag, path, message] of [
    ['user-key', paths.organization, /organization key/i],
    ['org-key', paths.user, /user key/i],
  ] as const satisfies readonly (readonly [CredentialName, string, RegExp])[]) {
    if (credentials[flag] === undefined) continue;
    const refused = await send('GET', path, { key: credentials[flag] });
    check(`D4 ${flag} is 401 at ${path}`, refused, refused.status, 401);
    check(
      `D42 the message names the kind of key that ${path} requires`,
      refused,
      refused.at('message'),
      matching(message),
    );
    check(
      `D42 the message at ${path} differs from that for an unknown key`,
      refused,
      refused.at('message'),
      not('Invalid or missing API key'),
    );
  }
}
