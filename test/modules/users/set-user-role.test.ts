import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

const setUserRole =
  'mutation ($userId: ID!, $role: Role!) { result: setUserRole(input: { userId: $userId, role: $role }) { user { id isAdmin } } }';
const rename = 'mutation { renameOrganization(input: { name: "Hers" }) { organization { name } } }';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
});
afterAll(() => app.close());

describe('setUserRole', () => {
  it('A change of role takes effect at once, and the audit log has one entry for each change', async () => {
    const owner = await app.organization();
    const admin = await signIn(app, owner.administratorId);
    const { id: userId } = await owner.member('grace@role.example');
    const member = await signIn(app, userId);
    expect((await member.graph(rename)).code).toBe('FORBIDDEN');
    for (let times = 0; times < 2; times += 1) {
      expect((await admin.graph(setUserRole, { userId, role: 'ADMIN' })).data).toEqual({
        result: { user: { id: userId, isAdmin: true } },
      });
    }
    expect((await member.graph(rename)).data).toEqual({
      renameOrganization: { organization: { name: 'Hers' } },
    });
    expect((await admin.graph(setUserRole, { userId, role: 'MEMBER' })).data).toEqual({
      result: { user: { id: userId, isAdmin: false } },
    });
    expect((await member.graph(rename)).code).toBe('FORBIDDEN');
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { targetId: userId, action: 'set-user-role' },
      orderBy: { id: 'asc' },
      select: { action: true, changes: true },
    });
    expect(entries).toEqual([
      { action: 'set-user-role', changes: { role: 'ADMIN' } },
      {
        action: 'set-user-role',
        changes: { role: 'MEMBER', revokedKeys: 0, revokedInvitations: 0 },
      },
    ]);
  });

  it('The last administrator cannot be made a member', async () => {
    const owner = await app.organization();
    const admin = await signIn(app, owner.administratorId);
    expect(
      (await admin.graph(setUserRole, { userId: owner.administratorId, role: 'MEMBER' })).code,
    ).toBe('FORBIDDEN');
    expect((await admin.graph(rename)).data).not.toBeNull();
  });

  it('If all administrators give up their role at the same moment, one stays an administrator', async () => {
    const owner = await app.organization();
    const admin = await signIn(app, owner.administratorId);
    const ids = [owner.administratorId];
    for (let index = 0; index < 4; index += 1) {
      const { id: userId } = await owner.member(`steps-back${index}@role.example`);
      await admin.graph(setUserRole, { userId, role: 'ADMIN' });
      ids.push(userId);
    }
    const sessions = await Promise.all(ids.map((id) => signIn(app, id)));
    await Promise.all(
      sessions.map((session, index) =>
        session.graph(setUserRole, { userId: ids[index], role: 'MEMBER' }),
      ),
    );
    expect(
      await app.database.prisma.membership.count({
        where: { organizationId: owner.id, role: 'ADMIN' },
      }),
    ).toBe(1);
  });

  it('Only signed-in administrators can change roles, and only in their own organization', async () => {
    const [owner, rival] = [await app.organization(), await app.organization()];
    const { id: userId } = await owner.member('heidi@role.example');
    const input = { userId, role: 'ADMIN' };
    expect((await (await signIn(app, userId)).graph(setUserRole, input)).code).toBe('FORBIDDEN');
    expect((await app.graph(owner.key, setUserRole, input)).errors[0]?.extensions?.code).toBe(
      'FORBIDDEN',
    );
    expect((await (await signIn(app, rival.administratorId)).graph(setUserRole, input)).code).toBe(
      'NOT_FOUND',
    );
  });
});

describe('updateProfile', () => {
  const updateProfile =
    'mutation ($firstName: String!, $lastName: String!) { updateProfile(input: { firstName: $firstName, lastName: $lastName }) { person { firstName lastName } } }';

  it('updateProfile changes the names of the signed-in person everywhere', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('new-name@role.example');
    const names = { firstName: 'Ana', lastName: 'Öz' };
    expect((await (await signIn(app, id)).graph(updateProfile, names)).data).toEqual({
      updateProfile: { person: names },
    });
    expect((await owner.manage('GET', `/users/${id}`)).body['user']).toMatchObject(names);
    expect((await owner.manage('GET', '/users?search=%C3%B6z')).body).toMatchObject({
      users: [{ id }],
    });
  });

  it('updateProfile is refused for API keys', async () => {
    const owner = await app.organization();
    const { key } = await owner.userKey(owner.administratorId);
    for (const apiKey of [key, owner.key]) {
      expect(
        (await app.graph(apiKey, updateProfile, { firstName: 'A', lastName: 'B' })).errors[0]
          ?.extensions?.code,
      ).toBe('FORBIDDEN');
    }
  });
});
