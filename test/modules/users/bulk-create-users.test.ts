import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWrongCounters } from '../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { databases } from '../../support/databases.ts';
import { rounds } from '../../support/rounds.ts';
import { serveApp } from '../../support/serve-app.ts';
import { watchStatements } from '../../support/statements.ts';

type Result = { email: string; status: string; user: unknown; isNewUser: unknown; error: unknown };

const watch = watchStatements();
afterAll(() => watch.stop());

describe.each(databases)('POST /users/bulk on $kind', ({ open }) => {
  let database: Database;
  let app: TestApp;
  let server: Awaited<ReturnType<typeof serveApp>>;
  let people = 0;
  beforeAll(async () => {
    database = await open();
    app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { database });
    server = await serveApp(app);
  });
  afterAll(async () => {
    server.close();
    await app.close();
  });

  const newEmails = (count: number) =>
    Array.from({ length: count }, () => `bulk${++people}@bulk.example`);

  /** Sends the call over a socket. */
  async function post(
    { key }: Pick<TestOrganization, 'key'>,
    body: unknown,
    { path = '/bulk', ...headers }: Record<string, string> = {},
  ) {
    const response = await fetch(`${server.url}/api/user-management/v1/users${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
  const create = (
    owner: TestOrganization,
    emails: readonly string[],
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) => post(owner, { users: emails.map((email) => ({ email })), ...more }, headers);
  const membersOf = async ({ id }: TestOrganization) =>
    (
      await database.prisma.membership.findMany({
        where: { organizationId: id },
        select: { user: { select: { email: true } } },
      })
    ).map(({ user }) => user.email);
  const accountsOf = (emails: string[]) =>
    database.prisma.user.count({ where: { email: { in: emails } } });
  const auditOf = ({ id }: TestOrganization) =>
    database.prisma.auditEntry.count({ where: { organizationId: id, action: 'create-user' } });
  const statusesOf = ({ results }: { results: Result[] }) => results.map(({ status }) => status);
  const codesOf = ({ results }: { results: Result[] }) =>
    results.map(({ error }) => Object(error).code ?? null);

  it('Each item has the result that its single call would have, in the order of the request', async () => {
    const [owner, home] = [await app.organization(), await app.organization()];
    const [fresh = '', existing = '', member = ''] = newEmails(3);
    const { id } = await home.member(existing, { firstName: 'Grace', lastName: 'Hopper' });
    await owner.member(member);
    const users = [
      { email: member },
      { email: ` ${fresh.toUpperCase()} `, firstName: 'Ada', lastName: 'Lovelace' },
      { email: existing, firstName: 'G.' },
    ];
    const { status, body } = await post(owner, { users });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ status: 'success', succeeded: 2, failed: 1 },
      results: [
        {
          ...{ email: member, status: 'FAILED', user: null, isNewUser: null },
          error: { status: 'error', code: 'CONFLICT' },
        },
        {
          ...{ email: fresh, status: 'SUCCEEDED', isNewUser: true, error: null },
          user: {
            ...{ email: fresh, firstName: 'Ada', lastName: 'Lovelace', isAdmin: false },
            teams: [{ id: owner.defaultTeamId }],
          },
        },
        {
          ...{ email: existing, status: 'SUCCEEDED', isNewUser: false, error: null },
          // Until the person accepts, the organization sees only what it gave itself (D44).
          user: { id, email: existing, firstName: 'G.', lastName: '', lastLogin: null },
        },
      ],
    });
    const single = await post(owner, { email: member }, { path: '' });
    expect({ ...body.results[0].error, requestId: '', errors: undefined }).toEqual({
      ...single.body,
      requestId: '',
    });
    for (const { user } of body.results.slice(1))
      expect((await owner.manage('GET', `/users/${user.id}`)).body['user']).toEqual(user);
    expect((await owner.manage('GET', '/users')).body).toMatchObject({ total: 4 });
    expect((await owner.manage('GET', '/teams')).body).toMatchObject({
      teams: [{ memberCount: 4 }],
    });
    expect(await auditOf(owner)).toBe(2);
    expect((await home.manage('GET', `/users/${id}`)).body).toMatchObject({
      user: { firstName: 'Grace', lastName: 'Hopper' },
    });
  });

  it('The first of the list get the free seats, members get a conflict, and the others create no account', async () => {
    const owner = await app.organization({ seatLimit: 3 });
    const [member = '', ...emails] = newEmails(5);
    const [first = '', second = '', third = ''] = emails;
    await owner.member(member);
    const { body } = await create(owner, [first, member, second, third]);
    expect(codesOf(body)).toEqual([null, 'CONFLICT', 'SEAT_LIMIT_REACHED', 'SEAT_LIMIT_REACHED']);
    expect(await membersOf(owner)).toHaveLength(3);
    expect(await accountsOf([second, third])).toBe(0);
    expect(codesOf((await create(owner, [second, first])).body)).toEqual([
      'SEAT_LIMIT_REACHED',
      'CONFLICT',
    ]);
  });

  it('With atomic nobody is created if one is refused, and the error names every refused item', async () => {
    const owner = await app.organization({ seatLimit: 4 });
    const [member = '', ...emails] = newEmails(5);
    await owner.member(member);
    const before = await membersOf(owner);
    const refused = await create(owner, [emails[0] ?? '', member, ...emails.slice(1)], {
      atomic: true,
    });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        ...{ status: 'error', code: 'CONFLICT' },
        message: expect.stringMatching(/^users\[1\]: .+; nothing was changed$/),
        errors: [{ field: 'users[1]' }, { field: 'users[3]' }, { field: 'users[4]' }],
      },
    });
    expect((await create(owner, emails, { atomic: true })).status).toBe(403);
    expect(await membersOf(owner)).toEqual(before);
    expect(await accountsOf(emails)).toBe(0);
    expect(await auditOf(owner)).toBe(0);
    const accepted = await create(owner, emails.slice(0, 2), { atomic: true });
    expect(accepted).toMatchObject({ status: 200, body: { succeeded: 2, failed: 0 } });
    expect(await membersOf(owner)).toHaveLength(4);
  });

  it('Existing accounts of others count against the same limit as with single calls, and then every address is refused', async () => {
    const [owner, home] = [await app.organization(), await app.organization()];
    const existing = newEmails(31);
    const fresh = newEmails(2);
    expect((await create(home, existing)).body).toMatchObject({ succeeded: 31 });
    const [first = '', ...others] = existing;
    expect((await post(owner, { email: first }, { path: '' })).status).toBe(200);
    const { body } = await create(owner, [fresh[0] ?? '', first, ...others, fresh[1] ?? '']);
    expect(codesOf(body)).toEqual([
      ...[null, 'CONFLICT'],
      ...others.slice(0, 29).map(() => null),
      ...['RATE_LIMITED', 'RATE_LIMITED'],
    ]);
    const refused = await create(owner, newEmails(1), { atomic: true });
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('A repetition with the same Idempotency-Key gets the same results and creates nobody', async () => {
    const owner = await app.organization();
    const emails = newEmails(3);
    const send = () =>
      create(owner, [...emails, `admin@${owner.slug}.example`], {}, { 'idempotency-key': 'bulk' });
    const [first, second] = [await send(), await send()];
    expect(first.body).toMatchObject({ succeeded: 3, failed: 1 });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await auditOf(owner)).toBe(3);
  });

  it('Bulk and single calls for the same people at the same moment add each one once, within the seats', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await app.organization({ seatLimit: 8 });
      const emails = newEmails(10);
      const [single = ''] = emails;
      const answers = await Promise.all([
        create(owner, emails),
        create(owner, emails.toReversed()),
        post(owner, { email: single }, { path: '' }),
      ]);
      expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
      expect([200, 403, 409]).toContain(answers[2].status);
      const added =
        statusesOf(answers[0].body).filter((status) => status === 'SUCCEEDED').length +
        statusesOf(answers[1].body).filter((status) => status === 'SUCCEEDED').length +
        Number(answers[2].status === 200);
      const members = await membersOf(owner);
      expect(members).toHaveLength(new Set(members).size);
      expect(members).toHaveLength(added + 1);
      expect(members.length).toBeLessThanOrEqual(8);
      expect(await auditOf(owner)).toBe(added);
      expect((await owner.manage('GET', '/users')).body).toMatchObject({ total: members.length });
    }
    expect(await findWrongCounters({ database })).toEqual([]);
  });

  it('Two organizations add the same people at the same moment, in opposite orders', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [owner, other] = [await app.organization(), await app.organization()];
      const emails = newEmails(20);
      const answers = await Promise.all([
        create(owner, emails),
        create(other, emails.toReversed()),
      ]);
      expect(answers.map(({ body }) => body.succeeded)).toEqual([20, 20]);
      expect(await accountsOf(emails)).toBe(20);
    }
  });

  it('1,000 users are created with as many statements as one', async () => {
    const owner = await app.organization();
    const count = async (emails: string[]) => {
      const { result, statements } = await watch.during(() => create(owner, emails));
      expect(result.body).toMatchObject({ succeeded: emails.length, failed: 0 });
      return statements.length;
    };
    expect(await count(newEmails(1000))).toBe(await count(newEmails(1)));
    expect((await owner.manage('GET', '/users')).body).toMatchObject({ total: 1002 });
  });

  it.each([
    [
      'an address twice, in any case',
      [{ email: 'a@b.example' }, { email: 'A@b.example' }],
      'users[1].email',
      'REPEATED',
    ],
    ['an invalid address', [{ email: 'nobody' }], 'users[0].email', 'INVALID_FORMAT'],
    [
      'a name that is null',
      [{ email: 'a@b.example', firstName: null }],
      'users[0].firstName',
      'NOT_NULLABLE',
    ],
    ['a missing address', [{ firstName: 'Ada' }], 'users[0].email', 'REQUIRED'],
    ['an empty list', [], 'users', 'TOO_SHORT'],
  ])('%s is 400, and the error names the field', async (_, users, field, code) => {
    const owner = await app.organization();
    expect(await post(owner, { users })).toMatchObject({
      status: 400,
      body: { errors: [{ field, code }] },
    });
  });

  it('A body of more than 1 MB is 413', async () => {
    const owner = await app.organization();
    const users = [{ email: 'a@b.example', note: 'x'.repeat(1_048_576) }];
    expect((await post(owner, { users })).status).toBe(413);
  });
});
