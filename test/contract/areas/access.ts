import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../answer.ts';
import { createBrowser } from '../browser.ts';
import { filledText, matching, not, orNull, time } from '../matchers.ts';
import type { Suite } from '../suite.ts';

const assistants = '/api/assistants/v1';
const users = '/api/user-management/v1/users';
const code = (answer: Answer) => answer.at('errors.0.extensions.code');

/** The lifecycle of keys and sessions: part 5, decisions D12, D13, D43. */
export async function checkAccess(suite: Suite): Promise<void> {
  await checkKeyLifecycle(suite);
  await checkMemberRemoval(suite);
  await checkUnclaimedAccounts(suite);
}

async function checkKeyLifecycle(suite: Suite): Promise<void> {
  const { check, send, credentials, report, prefix } = suite;
  const { 'person-email': email, 'person-password': password } = credentials;
  if (email === undefined || password === undefined)
    return void report.skipped.set(
      'the lifecycle of keys',
      '--person-email or --person-password is not given',
    );
  const person = createBrowser(suite);
  await person.signIn(email, password);
  const create = (
    kind: 'createUserKey' | 'createOrganizationKey',
    expiresAt: string | null = null,
  ) =>
    person.graph(
      `mutation ($name: String!, $expiresAt: DateTime) { created: ${kind}(input: { name: $name, expiresAt: $expiresAt }) { key apiKey { id prefix lastFour expiresAt revokedAt lastUsedAt } } }`,
      {
        name: prefix,
        expiresAt,
      },
    );
  const revoke = (id: unknown) =>
    person.graph(
      'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { revokedAt } } }',
      { id },
    );

  for (const [kind, path, form, list] of [
    ['createUserKey', assistants, /^sk_svc_[0-9A-Za-z]{38}$/, 'myApiKeys'],
    ['createOrganizationKey', users, /^sk_svc_um_[0-9A-Za-z]{38}$/, 'apiKeys'],
  ] as const) {
    const name = kind === 'createUserKey' ? 'a new user key' : 'a new organization key';
    const created = await create(kind);
    const key = created.textAt('data.created.key');
    const id = created.at('data.created.apiKey.id');
    check(
      `D12 ${name} has its prefix, 32 random characters and a checksum of 6`,
      created,
      key,
      matching(form),
    );
    check(
      `D12 ${name} is displayed with its prefix`,
      created,
      created.at('data.created.apiKey.prefix'),
      key.slice(0, -38),
    );
    check(
      `D12 ${name} is displayed with its last four characters`,
      created,
      created.at('data.created.apiKey.lastFour'),
      key.slice(-4),
    );
    check(
      `D12 ${name} does not expire by default`,
      created,
      created.at('data.created.apiKey.expiresAt'),
      null,
    );
    const opened = await send('GET', path, { key });
    check(`D12 ${name} is accepted at once`, opened, opened.status, 200);
    const listed = await person.graph(
      `{ keys: ${list}(pageSize: 100) { nodes { id name prefix lastFour lastUsedAt createdAt } } }`,
    );
    check(`Part 5 ${name} is not displayed again`, listed, listed.text.includes(key), false);
    const entry = listed.listAt('data.keys.nodes').find((item) => Object(item).id === id);
    check(
      `D12 ${name} is listed with its last-used time`,
      listed,
      Object(entry).lastUsedAt,
      orNull(time),
    );
    check(`D12 ${name} is listed with its name`, listed, Object(entry).name, prefix);
    const revoked = await revoke(id);
    check(
      `D12 ${name} is revoked`,
      revoked,
      revoked.at('data.revokeApiKey.apiKey.revokedAt'),
      time,
    );
    const refused = await waitUntilRefused(() => send('GET', path, { key }));
    check(`D12 ${name} is rejected once it is revoked`, refused, refused.status, 401);
  }

  const past = await create('createUserKey', '2001-01-01T00:00:00Z');
  check(
    'D12 a key cannot expire in the past',
    past,
    [past.at('data.created') ?? null, code(past)],
    [null, 'BAD_INPUT'],
  );
  const brief = await create('createUserKey', new Date(Date.now() + 3000).toISOString());
  const key = brief.textAt('data.created.key');
  check('D12 a key has an optional expiry', brief, brief.at('data.created.apiKey.expiresAt'), time);
  const expired = await waitUntilRefused(() => send('GET', assistants, { key }));
  check('D12 a key is rejected once it has expired', expired, expired.status, 401);
  await revoke(brief.at('data.created.apiKey.id'));

  for (const flag of ['user-key', 'org-key'] as const) {
    const api = suite.api(flag, 'keys that create keys');
    if (!api) continue;
    const refused = await api.graph(
      'mutation { createUserKey(input: { name: "contract" }) { key } }',
    );
    check(
      `D13 ${flag} cannot create keys`,
      refused,
      refused.at('data.createUserKey') ?? null,
      null,
    );
    check(
      `D13 ${flag} cannot create keys, and the error gives the reason`,
      refused,
      refused.at('errors.0.message'),
      filledText,
    );
  }
}

const refusedWithinMs = 20_000;

/**
 * Waits until the key is rejected. A revoked key is rejected at once on one machine and within a
 * second on several; an expired key at its time.
 */
async function waitUntilRefused(sendRequest: () => Promise<Answer>): Promise<Answer> {
  for (const end = Date.now() + refusedWithinMs; ; await sleep(250)) {
    const answer = await sendRequest();
    if (answer.status === 401 || Date.now() > end) return answer;
  }
}

async function checkMemberRemoval(suite: Suite): Promise<void> {
  const { check } = suite;
  const member = suite.api('removable-key', 'the effects of removing a member');
  const organization = suite.api('org-key', 'the effects of removing a member');
  if (!member || !organization) return;
  const before = await member.get(assistants);
  check('D13 the key of a member is accepted', before, before.status, 200);
  const viewer = await member.graph('{ viewer { person { id email } } }');
  const id = viewer.textAt('data.viewer.person.id');
  await organization.delete(`${users}/${id}`);
  const refused = await waitUntilRefused(() => member.get(assistants));
  check('D13 removing a member revokes the member’s keys', refused, refused.status, 401);
  await organization.post(`${users}/add`, { email: viewer.at('data.viewer.person.email') });
  const afterReturn = await member.get(assistants);
  check(
    'D13 a revoked key stays rejected when the member is added again',
    afterReturn,
    afterReturn.status,
    401,
  );
}

async function checkUnclaimedAccounts(suite: Suite): Promise<void> {
  const { check, disposable, report, prefix } = suite;
  if (!disposable)
    return void report.skipped.set('unclaimed accounts', '--disposable is not given');
  const api = suite.api('org-key', 'unclaimed accounts');
  if (!api) return;
  const guestBrowser = createBrowser(suite);
  const email = `${prefix}-unclaimed@contract.example`;
  await guestBrowser.signUp(email);
  const before = await guestBrowser.graph('{ viewer { person { email } } }');
  check(
    'D43 a person who signs up has a session',
    before,
    before.at('data.viewer.person.email'),
    email,
  );
  const added = await api.post(users, { email, firstName: 'Given' });
  check(
    'D43 POST /users accepts an account whose e-mail address is not verified',
    added,
    added.status,
    200,
  );
  const after = await guestBrowser.graph('{ viewer { person { email } } }');
  check(
    'D43 provisioning ends the sessions of an unclaimed account',
    after,
    after.at('data.viewer.person.email'),
    not(email),
  );
  await api.delete(`${users}/${added.at('user.id')}`);
}
