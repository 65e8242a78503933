import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { receiveMail } from '../../support/mail.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

const createKey =
  'mutation { made: createOrganizationKey(name: "a program") { key apiKey { id responsible { id } } } }';
const takeOver =
  'mutation ($id: ResourceId!) { takeOverOrganizationKey(id: $id) { id responsible { id } } }';
const setRole =
  'mutation ($userId: ResourceId!, $role: Role!) { setUserRole(userId: $userId, role: $role) { id } }';
const invite =
  'mutation { inviteMember(email: "second@key.example", role: ADMIN) { link invitation { id } } }';
type Made = { made: { key: string; apiKey: { id: string; responsible: { id: string } } } };

let app: TestApp;
let mail: Awaited<ReturnType<typeof receiveMail>>;
let owner: TestOrganization;
let admin: TestSession;
let made = 0;
beforeAll(async () => {
  mail = await receiveMail();
  app = await testApp({ ...mail.settings, USER_KEY_LIMIT: '100000' });
  owner = await app.organization();
  admin = await signIn(app, owner.administratorId);
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

/** A second administrator, and an organization key of theirs. */
async function leaving() {
  made += 1;
  const { id, email } = {
    email: `leaving-${made}@key.example`,
    ...(await owner.member(`leaving-${made}@key.example`)),
  };
  await admin.graph(setRole, { userId: id, role: 'ADMIN' });
  const session = await signIn(app, id);
  const { data } = await session.graph<Made>(createKey);
  if (!data) throw new Error('no key was made');
  return {
    id,
    email,
    session,
    key: data.made.key,
    keyId: data.made.apiKey.id,
    responsible: data.made.apiKey.responsible,
  };
}
const statusOf = async (key: string) =>
  (await app.callerWith(key)('GET', '/api/user-management/v1/teams')).status;

describe('an organization key', () => {
  it('is revoked when the administrator who made it becomes a member, and stays revoked after the removal', async () => {
    const { id, key, responsible } = await leaving();
    expect(responsible).toEqual({ id });
    expect(await statusOf(key)).toBe(200);
    await admin.graph(setRole, { userId: id, role: 'MEMBER' });
    expect(await statusOf(key)).toBe(401);
    expect((await owner.manage('DELETE', `/users/${id}`)).status).toBe(200);
    expect(await statusOf(key)).toBe(401);
  });

  it('is revoked by the removal of a member who is responsible for it from before the role changed', async () => {
    const { id, key, keyId } = await leaving();
    await app.database.prisma.membership.updateMany({
      where: { userId: id },
      data: { role: 'MEMBER' },
    });
    expect((await owner.manage('DELETE', `/users/${id}`)).status).toBe(200);
    expect(await statusOf(key)).toBe(401);
    const [entry] = await app.database.prisma.auditEntry.findMany({
      where: { action: 'remove-user', targetId: id },
      select: { changes: true },
    });
    expect(entry?.changes).toMatchObject({ revokedKeys: 1, revokedInvitations: 0 });
    expect((await admin.graph(takeOver, { id: keyId })).code).toBe('CONFLICT');
  });

  it('stays in force when another administrator has taken it over', async () => {
    const { id, key, keyId } = await leaving();
    expect((await admin.graph(takeOver, { id: keyId })).data).toEqual({
      takeOverOrganizationKey: { id: keyId, responsible: { id: owner.administratorId } },
    });
    await admin.graph(setRole, { userId: id, role: 'MEMBER' });
    await owner.manage('DELETE', `/users/${id}`);
    expect(await statusOf(key)).toBe(200);
  });

  it('of another organization cannot be taken over', async () => {
    const other = await app.organization();
    expect((await admin.graph(takeOver, { id: other.keyId })).code).toBe('NOT_FOUND');
  });

  it('survives a removal that is refused', async () => {
    const { id, key } = await leaving();
    expect((await owner.manage('DELETE', `/users/${id}`)).status).toBe(403);
    expect(await statusOf(key)).toBe(200);
  });
});

it('Invitations that a former administrator sent can no longer be accepted', async () => {
  const { id, session } = await leaving();
  const { data } = await session.graph<{ inviteMember: { invitation: { id: string } } }>(invite);
  await admin.graph(setRole, { userId: id, role: 'MEMBER' });
  const invitation = await app.database.prisma.invitation.findUniqueOrThrow({
    where: { id: data?.inviteMember.invitation.id ?? '' },
  });
  expect(invitation.revokedAt).not.toBeNull();
});

describe('a sign-in that is older than ten minutes', () => {
  const steps: [string, string, Record<string, unknown>][] = [
    ['createOrganizationKey', createKey, {}],
    ['createUserKey', 'mutation { createUserKey(name: "mine") { key } }', {}],
    ['setUserRole', setRole, { userId: 'somebody', role: 'ADMIN' }],
    ['takeOverOrganizationKey', takeOver, { id: 'some-key' }],
  ];

  it.each(steps)(
    'does not allow %s until the password is confirmed',
    async (_, mutation, variables) => {
      const fresh = await app.organization();
      const session = await signIn(app, fresh.administratorId);
      await app.database.prisma.session.updateMany({
        where: { userId: fresh.administratorId },
        data: { authenticatedAt: new Date(Date.now() - 601_000) },
      });
      const { errors } = await session.graph(mutation, variables);
      expect(errors[0]?.extensions).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'SIGN_IN_NOT_RECENT',
      });
      await session.graph('mutation { confirmPassword(password: "a horse, a battery, a staple") }');
      expect((await session.graph(mutation, variables)).errors[0]?.extensions?.reason).not.toBe(
        'SIGN_IN_NOT_RECENT',
      );
    },
  );
});

it('The owner of an account gets a mail about a new key and a changed role', async () => {
  const { email } = await leaving();
  const subjects = [(await mail.next(email)).subject, (await mail.next(email)).subject];
  expect(subjects.toSorted()).toEqual(['A new API key was created', 'Your role was changed']);
});
