import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../answer.ts';
import { filledText, matching, not, orNull, time } from '../matchers.ts';
import type { Suite } from '../suite.ts';
import { visitorOf } from '../visitor.ts';

const assistants = '/api/assistants/v1';
const users = '/api/user-management/v1/users';
const code = (answer: Answer) => answer.at('errors.0.extensions.code');

/** How keys and sessions begin and end: part 5, D12, D13, D43. */
export async function checkAccess(suite: Suite): Promise<void> {
  await checkKeyLife(suite);
  await checkRemoval(suite);
  await checkUnclaimed(suite);
}

async function checkKeyLife(suite: Suite): Promise<void> {
  const { check, send, credentials, report, prefix } = suite;
  const { 'person-email': email, 'person-password': password } = credentials;
  if (email === undefined || password === undefined)
    return void report.leftOut.set(
      'the life of keys',
      '--person-email or --person-password is not given',
    );
  const person = visitorOf(suite);
  await person.signIn(email, password);
  const create = (
    kind: 'createUserKey' | 'createOrganizationKey',
    expiresAt: string | null = null,
  ) =>
    person.graph(
      `mutation ($name: ApiKeyName!, $expiresAt: DateTime) { made: ${kind}(name: $name, expiresAt: $expiresAt) { key apiKey { id prefix lastFour expiresAt revokedAt lastUsedAt } } }`,
      {
        name: prefix,
        expiresAt,
      },
    );
  const revoke = (id: unknown) =>
    person.graph('mutation ($id: ResourceId!) { revokeApiKey(id: $id) { revokedAt } }', { id });

  for (const [kind, path, form, list] of [
    ['createUserKey', assistants, /^sk_svc_[0-9A-Za-z]{38}$/, 'myApiKeys'],
    ['createOrganizationKey', users, /^sk_svc_um_[0-9A-Za-z]{38}$/, 'apiKeys'],
  ] as const) {
    const name = kind === 'createUserKey' ? 'a new user key' : 'a new organization key';
    const made = await create(kind);
    const key = made.textAt('data.made.key');
    const id = made.at('data.made.apiKey.id');
    check(
      `D12 ${name} has its prefix, 32 random characters and 6 of a checksum`,
      made,
      key,
      matching(form),
    );
    check(
      `D12 ${name} is displayed with its prefix`,
      made,
      made.at('data.made.apiKey.prefix'),
      key.slice(0, -38),
    );
    check(
      `D12 ${name} is displayed with its last four characters`,
      made,
      made.at('data.made.apiKey.lastFour'),
      key.slice(-4),
    );
    check(
      `D12 ${name} does not expire unless asked`,
      made,
      made.at('data.made.apiKey.expiresAt'),
      null,
    );
    const opened = await send('GET', path, { key });
    check(`D12 ${name} opens its calls at once`, opened, opened.status, 200);
    const listed = await person.graph(
      `{ keys: ${list}(pageSize: 100) { items { id name prefix lastFour lastUsedAt createdAt } } }`,
    );
    check(`Part 5 ${name} is not displayed again`, listed, listed.text.includes(key), false);
    const entry = listed.listAt('data.keys.items').find((item) => Object(item).id === id);
    check(
      `D12 ${name} is listed with its last-used time`,
      listed,
      Object(entry).lastUsedAt,
      orNull(time),
    );
    check(`D12 ${name} is listed with its name`, listed, Object(entry).name, prefix);
    const revoked = await revoke(id);
    check(`D12 ${name} is revoked`, revoked, revoked.at('data.revokeApiKey.revokedAt'), time);
    const refused = await untilRefused(() => send('GET', path, { key }));
    check(`D12 ${name} opens nothing once it is revoked`, refused, refused.status, 401);
  }

  const past = await create('createUserKey', '2001-01-01T00:00:00Z');
  check(
    'D12 a key cannot expire in the past',
    past,
    [past.at('data.made') ?? null, code(past)],
    [null, 'BAD_INPUT'],
  );
  const brief = await create('createUserKey', new Date(Date.now() + 3000).toISOString());
  const key = brief.textAt('data.made.key');
  check('D12 a key has an optional expiry', brief, brief.at('data.made.apiKey.expiresAt'), time);
  const expired = await untilRefused(() => send('GET', assistants, { key }));
  check('D12 a key opens nothing once it has expired', expired, expired.status, 401);
  await revoke(brief.at('data.made.apiKey.id'));

  for (const flag of ['user-key', 'org-key'] as const) {
    const api = suite.api(flag, 'keys that make keys');
    if (!api) continue;
    const refused = await api.graph('mutation { createUserKey(name: "contract") { key } }');
    check(`D13 ${flag} makes no keys`, refused, refused.at('data.createUserKey') ?? null, null);
    check(
      `D13 ${flag} makes no keys, and is told why`,
      refused,
      refused.at('errors.0.message'),
      filledText,
    );
  }
}

const refusedWithinMs = 20_000;

/**
 * A revoked key is refused at once on one machine, and within a second on several; an expired one
 * at its time.
 */
async function untilRefused(ask: () => Promise<Answer>): Promise<Answer> {
  for (const end = Date.now() + refusedWithinMs; ; await sleep(250)) {
    const answer = await ask();
    if (answer.status === 401 || Date.now() > end) return answer;
  }
}

async function checkRemoval(suite: Suite): Promise<void> {
  const { check } = suite;
  const member = suite.api('removable-key', 'what the removal of a member ends');
  const organization = suite.api('org-key', 'what the removal of a member ends');
  if (!member || !organization) return;
  const before = await member.get(assistants);
  check('D13 the key of a member opens its calls', before, before.status, 200);
  const viewer = await member.graph('{ viewer { person { id email } } }');
  const id = viewer.textAt('data.viewer.person.id');
  await organization.delete(`${users}/${id}`);
  const refused = await untilRefused(() => member.get(assistants));
  check('D13 removing a member revokes the member’s keys', refused, refused.status, 401);
  await organization.post(`${users}/add`, { email: viewer.at('data.viewer.person.email') });
  const still = await member.get(assistants);
  check('D13 a revoked key opens nothing when the member is added again', still, still.status, 401);
}

async function checkUnclaimed(suite: Suite): Promise<void> {
  const { check, disposable, report, prefix } = suite;
  if (!disposable)
    return void report.leftOut.set('accounts that nobody has claimed', '--disposable is not given');
  const api = suite.api('org-key', 'accounts that nobody has claimed');
  if (!api) return;
  const stranger = visitorOf(suite);
  const email = `${prefix}-unclaimed@contract.example`;
  await stranger.signUp(email);
  const before = await stranger.graph('{ viewer { person { email } } }');
  check('D43 whoever signs up has a session', before, before.at('data.viewer.person.email'), email);
  const added = await api.post(users, { email, firstName: 'Given' });
  check(
    'D43 POST /users takes an account whose mailbox nobody has proven',
    added,
    added.status,
    200,
  );
  const after = await stranger.graph('{ viewer { person { email } } }');
  check(
    'D43 provisioning ends the sessions of an account that nobody has claimed',
    after,
    after.at('data.viewer.person.email'),
    not(email),
  );
  await api.delete(`${users}/${added.at('user.id')}`);
}
