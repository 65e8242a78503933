import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { databases } from '../../support/databases.ts';
import { rounds } from '../../support/rounds.ts';
import { serveApp } from '../../support/serve-app.ts';
import { signIn } from '../../support/sign-in.ts';

describe.each(databases)('PATCH /users/:userId on $kind', ({ open }) => {
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

  /** Sends the call over a socket. */
  async function patch({ key }: Pick<TestOrganization, 'key'>, userId: string, body: unknown) {
    const response = await fetch(`${server.url}/api/user-management/v1/users/${userId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  /** A user without own names, whom the organization has named. */
  async function namedUser(owner: TestOrganization) {
    people += 1;
    const created = await owner.manage('POST', '/users', {
      email: `named${people}@update.example`,
      firstName: 'Grace',
      lastName: 'Hopper',
    });
    return answerOf('createUser', created).user;
  }
  const auditOf = (targetId: string, action: string) =>
    database.prisma.auditEntry.findMany({
      where: { targetId, action },
      select: { organizationId: true, changes: true },
    });

  it('A name that is sent changes, the other one stays, and a search finds the new one', async () => {
    const owner = await app.organization();
    const { id, email } = await namedUser(owner);
    const changed = await patch(owner, id, { lastName: '  Murray ' });
    expect(changed).toMatchObject({
      status: 200,
      body: { status: 'success', user: { id, email, firstName: 'Grace', lastName: 'Murray' } },
    });
    expect((await owner.manage('GET', `/users/${id}`)).body).toEqual(changed.body);
    expect((await owner.manage('GET', '/users?search=murray')).body).toMatchObject({ total: 1 });
    expect((await owner.manage('GET', '/users?search=hopper')).body).toMatchObject({ total: 0 });
    expect(await auditOf(id, 'update-user')).toEqual([
      { organizationId: owner.id, changes: { fields: ['lastName'] } },
    ]);
  });

  it('An empty body and the current values change nothing and leave no entry in the audit log', async () => {
    const owner = await app.organization();
    const { id } = await namedUser(owner);
    const before = (await owner.manage('GET', `/users/${id}`)).body;
    for (const body of [{}, { firstName: 'Grace', lastName: 'Hopper', role: 'MEMBER' }])
      expect(await patch(owner, id, body)).toEqual({ status: 200, body: before });
    expect(await auditOf(id, 'update-user')).toEqual([]);
    expect(await auditOf(id, 'set-user-role')).toEqual([]);
  });

  it('Names that a person has set for themselves are refused, and stay in every organization', async () => {
    const [home, owner] = [await app.organization(), await app.organization()];
    people += 1;
    const email = `own${people}@update.example`;
    const { id } = await home.member(email, { firstName: 'Ada', lastName: 'Lovelace' });
    // Before the person accepts, the organization sees the names that it gives.
    await owner.manage('POST', '/users/add', { email });
    expect(await patch(owner, id, { firstName: 'A.' })).toMatchObject({
      status: 200,
      body: { user: { firstName: 'A.', lastName: '' } },
    });
    const session = await signIn(app, id);
    await session.graph('{ organization { id } }', {}, { 'x-atrium-organization': owner.id });
    expect(await patch(owner, id, { firstName: 'Augusta' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect((await patch(owner, id, { firstName: 'Ada' })).status).toBe(200);
    for (const organization of [home, owner])
      expect((await organization.manage('GET', `/users/${id}`)).body).toMatchObject({
        user: { firstName: 'Ada', lastName: 'Lovelace' },
      });
  });

  it('A key makes a member an administrator only in an organization with the feature userRoles', async () => {
    const owner = await app.organization();
    const { id } = await namedUser(owner);
    expect(await patch(owner, id, { role: 'ADMIN' })).toMatchObject({
      status: 200,
      body: { user: { id, isAdmin: true } },
    });
    expect(await auditOf(id, 'set-user-role')).toEqual([
      { organizationId: owner.id, changes: { role: 'ADMIN' } },
    ]);

    const without = await app.organization({ features: ['userManagement'] });
    const user = await namedUser(without);
    expect(await patch(without, user.id, { role: 'ADMIN', firstName: 'New' })).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_DISABLED' },
    });
    expect((await without.manage('GET', `/users/${user.id}`)).body).toMatchObject({
      user: { isAdmin: false, firstName: 'Grace' },
    });
  });

  it('An administrator cannot be made a member, and then no name changes either', async () => {
    const owner = await app.organization();
    const { id } = await namedUser(owner);
    await patch(owner, id, { role: 'ADMIN' });
    expect(await patch(owner, id, { role: 'MEMBER', firstName: 'New' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect((await owner.manage('GET', `/users/${id}`)).body).toMatchObject({
      user: { isAdmin: true, firstName: 'Grace' },
    });
  });

  it('A user of another organization is as unknown as an id that does not exist', async () => {
    const [owner, rival] = [await app.organization(), await app.organization()];
    const { id } = await namedUser(owner);
    const bodies = [{}, { firstName: 'Mallory' }, { role: 'ADMIN' }];
    for (const body of bodies) {
      const [foreign, unknown] = [
        await patch(rival, id, body),
        await patch(rival, 'unknown', body),
      ];
      expect(foreign).toMatchObject({ status: 404, body: { message: 'User not found' } });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    }
    expect((await owner.manage('GET', `/users/${id}`)).body).toMatchObject({
      user: { firstName: 'Grace', isAdmin: false },
    });
  });

  it('One 400 names every wrong field', async () => {
    const owner = await app.organization();
    const { id } = await namedUser(owner);
    const { status, body } = await patch(owner, id, {
      firstName: null,
      lastName: 'x'.repeat(201),
      role: 'OWNER',
    });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { field: 'firstName', code: 'NOT_NULLABLE' },
      { field: 'lastName', code: 'TOO_LONG' },
      { field: 'role', code: 'UNKNOWN_VALUE' },
    ]);
  });

  it('Two changes of different names at the same moment both stay', async () => {
    const owner = await app.organization();
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await namedUser(owner);
      await Promise.all([
        patch(owner, id, { firstName: 'A' }),
        patch(owner, id, { lastName: 'B' }),
      ]);
      expect((await owner.manage('GET', `/users/${id}`)).body).toMatchObject({
        user: { firstName: 'A', lastName: 'B' },
      });
    }
  });
});
