import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { postJson, signIn, type TestSession } from '../../support/sign-in.ts';

const leaveQuery =
  'mutation Leave($organizationId: ResourceId!) { leaveOrganization(organizationId: $organizationId) { success organizationId } }';
const reading =
  'query Added($token: String!) { addedMembership(token: $token) { organizationName email } }';
const accepting =
  'mutation Accept($token: String!) { acceptAddedMembership(token: $token) { organizationId } }';
const declining =
  'mutation Decline($token: String!) { declineAddedMembership(token: $token) { organizationId } }';

let app: TestApp;
let mail: Awaited<ReturnType<typeof receiveMail>>;
let home: TestOrganization;
let other: TestOrganization;
let userId: string;
let email: string;
let session: TestSession;
let made = 0;

beforeAll(async () => {
  mail = await receiveMail();
  app = await testApp({ ...mail.settings, ORGANIZATION_KEY_LIMIT: '10000' });
  home = await app.organization();
});
afterAll(async () => {
  await app.close();
  await mail.close();
});
beforeEach(async () => {
  made += 1;
  other = await app.organization();
  email = `grace${made}@leave.example`;
  ({ id: userId } = await home.member(email, { firstName: 'Grace' }));
  session = await signIn(app, userId);
});

const leave = (organizationId: string, from = session) =>
  from.graph(leaveQuery, { organizationId });
const anybody = async (query: string, token: string | null) => {
  const { data = null, errors = [] } = (
    await postJson(app, '/graphql', { query, variables: { token } })
  ).body as {
    data?: Record<string, unknown> | null;
    errors?: { extensions: { code: string } }[];
  };
  return { data, code: errors[0]?.extensions.code };
};
const tokenIn = async () => linkIn(await mail.next(email)).searchParams.get('token');
const isMember = async (organizationId: string) =>
  (await app.database.prisma.membership.count({ where: { organizationId, userId } })) === 1;

describe('leaveOrganization', () => {
  it('Leaving deletes the membership with its teams and keys, even before the person has opened the organization, and is in the audit log', async () => {
    await other.manage('POST', '/users/add', { email });
    const { key } = await other.userKey(userId);
    expect((await app.graph(key, '{ organization { id } }')).errors).toEqual([]);
    expect((await leave(other.id)).data).toEqual({
      leaveOrganization: { success: true, organizationId: other.id },
    });
    expect(await isMember(other.id)).toBe(false);
    expect(await isMember(home.id)).toBe(true);
    expect((await app.graph(key, '{ organization { id } }')).answer.status).toBe(401);
    expect(
      await app.database.prisma.teamMembership.count({
        where: { organizationId: other.id, userId },
      }),
    ).toBe(0);
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: other.id, action: 'leave-organization' },
    });
    expect(entries).toMatchObject([
      { actorKind: 'SESSION', actorUserId: userId, targetId: userId, changes: { email } },
    ]);
    expect((await leave(other.id)).code).toBe('NOT_FOUND');
  });

  it('The last administrator cannot leave, and API keys cannot leave for a person', async () => {
    const administrator = await signIn(app, other.administratorId);
    const refused = await leave(other.id, administrator);
    expect(refused).toMatchObject({
      code: 'FORBIDDEN',
      errors: [{ message: expect.stringContaining('last administrator') }],
    });
    const { key } = await home.userKey(userId);
    expect(
      (await app.graph(key, leaveQuery, { organizationId: home.id })).errors[0]?.extensions?.code,
    ).toBe('FORBIDDEN');
    expect(
      (await app.graph(home.key, leaveQuery, { organizationId: home.id })).errors[0]?.extensions
        ?.code,
    ).toBe('FORBIDDEN');
  });

  it('If the two administrators leave at the same moment, only one can', async () => {
    await other.manage('POST', '/users/add', { email });
    await app.database.prisma.membership.updateMany({
      where: { organizationId: other.id, userId },
      data: { role: 'ADMIN' },
    });
    const administrator = await signIn(app, other.administratorId);
    const answers = await Promise.all([leave(other.id), leave(other.id, administrator)]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['FORBIDDEN', undefined]);
    expect(
      await app.database.prisma.membership.count({
        where: { organizationId: other.id, role: 'ADMIN' },
      }),
    ).toBe(1);
  });
});

describe('the mail to a person whose account an organization added', () => {
  it('The mail names the organization, and opening its link changes nothing', async () => {
    await other.manage('POST', '/users/add', { email });
    const message = await mail.next(email);
    expect(message.subject).toBe('You were added to an organization on Atrium');
    expect(message.text).toContain(`“${other.slug}”`);
    const link = linkIn(message);
    expect(link.origin + link.pathname).toBe('http://atrium.test/auth/membership');
    await app.request('GET', link.pathname + link.search);
    const token = link.searchParams.get('token');
    expect(await anybody(reading, token)).toEqual({
      data: { addedMembership: { organizationName: other.slug, email } },
      code: undefined,
    });
    expect((await other.manage('GET', `/users/${userId}`)).body['user']).toMatchObject({
      firstName: '',
    });
  });

  it('The mail quotes the name of the organization without web addresses and with at most 80 characters', async () => {
    // From before names of organizations were checked.
    const name = `Verify at https://www.evil.example/login ${'x'.repeat(150)}`;
    await app.database.prisma.organization.update({ where: { id: other.id }, data: { name } });
    await other.manage('POST', '/users/add', { email });
    const { subject, text = '' } = await mail.next(email);
    expect(subject).toBe('You were added to an organization on Atrium');
    expect(text).not.toMatch(/:\/\/www|evil\.example|x{60}/);
    expect([...(/“(.*?)”/.exec(text)?.[1] ?? '')]).toHaveLength(80);
  });

  it('The recipient of the mail can leave without signing in, once', async () => {
    await other.manage('POST', '/users', { email, firstName: 'Somebody' });
    const token = await tokenIn();
    expect((await anybody(declining, token)).data).toEqual({
      declineAddedMembership: { organizationId: other.id },
    });
    expect(await isMember(other.id)).toBe(false);
    expect((await anybody(declining, token)).code).toBe('NOT_FOUND');
    expect((await anybody(reading, token)).code).toBe('NOT_FOUND');
  });

  it('The recipient of the mail can accept, and the link then becomes invalid', async () => {
    await other.manage('POST', '/users/add', { email });
    const token = await tokenIn();
    expect((await anybody(accepting, token)).data).toEqual({
      acceptAddedMembership: { organizationId: other.id },
    });
    expect((await other.manage('GET', `/users/${userId}`)).body['user']).toMatchObject({
      firstName: 'Grace',
    });
    expect((await anybody(declining, token)).code).toBe('NOT_FOUND');
    expect(await isMember(other.id)).toBe(true);
  });

  it('The mail is not sent to an address without an account, nor more than five times an hour to one person', async () => {
    expect(
      (await other.manage('POST', '/users', { email: `new-${email}` })).body['isNewUser'],
    ).toBe(true);
    for (let index = 0; index < 7; index += 1) {
      expect((await other.manage('POST', '/users/add', { email })).status).toBe(200);
      expect((await other.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    }
    for (let index = 0; index < 5; index += 1) await mail.next(email);
    // The mail for a new password has a count of its own.
    await postJson(app, '/auth/request-password-reset', { email });
    expect((await mail.next(email)).subject).toBe('Choose a new password');
    expect(
      mail.mails.filter(({ to }) => to?.some(({ address }) => address?.endsWith(email))),
    ).toEqual([]);
  });
});
