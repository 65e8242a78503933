import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestOrganization } from '../../support/app.ts';
import { type MailApp, mailApp } from '../../support/mail-app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

const createKey =
  'mutation { created: createOrganizationKey(input: { name: "a program" }) { key apiKey { id responsible { id } } } }';
const takeOver =
  'mutation ($id: ID!) { takeOverOrganizationKey(input: { id: $id }) { apiKey { id responsible { id } } } }';
const setRole =
  'mutation ($userId: ID!, $role: Role!) { setUserRole(input: { userId: $userId, role: $role }) { user { id } } }';
const invite =
  'mutation { inviteMember(input: { email: "second@key.example", role: ADMIN }) { link invitation { id } } }';
type CreatedKeyResult = {
  created: { key: string; apiKey: { id: string; responsible: { id: string } } };
};

let app: MailApp;
let mail: MailApp['mail'];
let owner: TestOrganization;
let admin: TestSession;
let administratorCount = 0;
beforeAll(async () => {
  app = await mailApp({ USER_KEY_LIMIT: '100000' });
  ({ mail } = app);
  owner = await app.organization();
  admin = await signIn(app, owner.administratorId);
});
afterAll(() => app.close());

/** Creates a second administrator with an organization key. */
async function secondAdministrator() {
  administratorCount += 1;
  const { id, email } = {
    email: `leaving-${administratorCount}@key.example`,
    ...(await owner.member(`leaving-${administratorCount}@key.example`)),
  };
  await admin.graph(setRole, { userId: id, role: 'ADMIN' });
  const session = await signIn(app, id);
  const { data } = await session.graph<CreatedKeyResult>(createKey);
  if (!data) throw new Error('no key was created');
  return {
    id,
    email,
    session,
    key: data.created.key,
    keyId: data.created.apiKey.id,
    responsible: data.created.apiKey.responsible,
  };
}
const deleteAccount = ({ session, email }: { session: TestSession; email: string }) =>
  session.graph(
    'mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }',
    { email },
  );
const statusOf = async (key: string) =>
  (await app.callerWith(key)('GET', '/api/user-management/v1/teams')).status;

describe('the responsible administrator of an organization key', () => {
  it('A key is revoked when its responsible administrator becomes a member, and stays revoked after the removal', async () => {
    const { id, key, responsible } = await secondAdministrator();
    expect(responsible).toEqual({ id });
    expect(await statusOf(key)).toBe(200);
    await admin.graph(setRole, { userId: id, role: 'MEMBER' });
    expect(await statusOf(key)).toBe(401);
    expect((await owner.manage('DELETE', `/users/${id}`)).status).toBe(200);
    expect(await statusOf(key)).toBe(401);
  });

  it('A key is revoked with the removal of a member who is still responsible for it from an earlier role', async () => {
    const { id, key, keyId } = await secondAdministrator();
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

  it('A key stays valid when another administrator has taken it over', async () => {
    const { id, key, keyId } = await secondAdministrator();
    expect((await admin.graph(takeOver, { id: keyId })).data).toEqual({
      takeOverOrganizationKey: {
        apiKey: { id: keyId, responsible: { id: owner.administratorId } },
      },
    });
    await admin.graph(setRole, { userId: id, role: 'MEMBER' });
    await owner.manage('DELETE', `/users/${id}`);
    expect(await statusOf(key)).toBe(200);
  });

  it('A key is revoked with the account of its responsible administrator, whoever created it', async () => {
    const [first, second] = [await secondAdministrator(), await secondAdministrator()];
    await second.session.graph(takeOver, { id: first.keyId });
    expect((await deleteAccount(second)).errors).toEqual([]);
    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([401, 401]);
  });

  it('A key that another administrator has taken over stays valid without the account of its creator', async () => {
    const creator = await secondAdministrator();
    await admin.graph(takeOver, { id: creator.keyId });
    expect((await deleteAccount(creator)).errors).toEqual([]);
    expect(await statusOf(creator.key)).toBe(200);
  });

  it('A key of another organization cannot be taken over', async () => {
    const other = await app.organization();
    expect((await admin.graph(takeOver, { id: other.keyId })).code).toBe('NOT_FOUND');
  });

  it('A key stays valid if the removal of its administrator is rejected', async () => {
    const { id, key } = await secondAdministrator();
    expect((await owner.manage('DELETE', `/users/${id}`)).status).toBe(403);
    expect(await statusOf(key)).toBe(200);
  });
});

it('Invitations that a former administrator sent can no longer be accepted', async () => {
  const { id, session } = await secondAdministrator();
  const { data } = await session.graph<{ inviteMember: { invitation: { id: string } } }>(invite);
  await admin.graph(setRole, { userId: id, role: 'MEMBER' });
  const invitation = await app.database.prisma.invitation.findUniqueOrThrow({
    where: { id: data?.inviteMember.invitation.id ?? '' },
  });
  expect(invitation.revokedAt).not.toBeNull();
});

it('Invitations that an administrator sent can no longer be accepted without the account of the administrator', async () => {
  const { session, email } = await secondAdministrator();
  const { data } = await session.graph<{ inviteMember: { invitation: { id: string } } }>(invite);
  expect((await deleteAccount({ session, email })).errors).toEqual([]);
  const invitation = await app.database.prisma.invitation.findUniqueOrThrow({
    where: { id: data?.inviteMember.invitation.id ?? '' },
  });
  expect(invitation.revokedAt).not.toBeNull();
});

describe('a sign-in that is older than ten minutes', () => {
  // With the invitation somebody at an unattended browser could become an administrator.
  const steps: [string, string, Record<string, unknown>][] = [
    ['createOrganizationKey', createKey, {}],
    ['createUserKey', 'mutation { createUserKey(input: { name: "mine" }) { key } }', {}],
    ['setUserRole', setRole, { userId: 'somebody', role: 'ADMIN' }],
    ['takeOverOrganizationKey', takeOver, { id: 'some-key' }],
    ['inviteMember', invite, {}],
  ];

  it.each(steps)(
    'With an old sign-in the mutation %s is rejected until the password is confirmed',
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
      await session.graph(
        'mutation { confirmPassword(input: { password: "a horse, a battery, a staple" }) { success } }',
      );
      expect((await session.graph(mutation, variables)).errors[0]?.extensions?.reason).not.toBe(
        'SIGN_IN_NOT_RECENT',
      );
    },
  );
});

it('A member can be invited with an old sign-in', async () => {
  const fresh = await app.organization();
  const session = await signIn(app, fresh.administratorId);
  await app.database.prisma.session.updateMany({
    where: { userId: fresh.administratorId },
    data: { authenticatedAt: new Date(Date.now() - 601_000) },
  });
  const { errors } = await session.graph(
    'mutation { inviteMember(input: { email: "member@key.example", role: MEMBER }) { link } }',
  );
  expect(errors).toEqual([]);
});

it('The owner of an account gets a mail about a new key and a changed role', async () => {
  const { email } = await secondAdministrator();
  const subjects = [(await mail.next(email)).subject, (await mail.next(email)).subject];
  expect(subjects.toSorted()).toEqual(['A new API key was created', 'Your role was changed']);
});
