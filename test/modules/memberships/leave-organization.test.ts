import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { graphAnswerOf } from '../../support/answers.ts';
import type { TestOrganization } from '../../support/app.ts';
import { linkIn } from '../../support/mail.ts';
import { type MailApp, mailApp } from '../../support/mail-app.ts';
import { postJson, signIn, type TestSession } from '../../support/sign-in.ts';

const leaveMutation =
  'mutation Leave($organizationId: ID!) { leaveOrganization(input: { organizationId: $organizationId }) { leftOrganizationId } }';
const readQuery =
  'query Added($token: String!) { addedMembership(token: $token) { organizationName email } }';
const acceptMutation =
  'mutation Accept($token: String!) { acceptAddedMembership(input: { token: $token }) { membership { organizationId } } }';
const declineMutation =
  'mutation Decline($token: String!) { declineAddedMembership(input: { token: $token }) { leftOrganizationId } }';

let app: MailApp;
let mail: MailApp['mail'];
let homeOrganization: TestOrganization;
let otherOrganization: TestOrganization;
let userId: string;
let email: string;
let session: TestSession;
let peopleCount = 0;

beforeAll(async () => {
  app = await mailApp({ ORGANIZATION_KEY_LIMIT: '10000' });
  ({ mail } = app);
  homeOrganization = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  peopleCount += 1;
  otherOrganization = await app.organization();
  email = `grace${peopleCount}@leave.example`;
  ({ id: userId } = await homeOrganization.member(email, { firstName: 'Grace' }));
  session = await signIn(app, userId);
});

const leave = (organizationId: string, from = session) =>
  from.graph(leaveMutation, { organizationId });
const anonymousGraph = async (query: string, token: string | null) => {
  const answer = await postJson(app, '/graphql', { query, variables: { token } });
  const { data, errors } = graphAnswerOf(answer);
  return { data, code: errors[0]?.extensions?.code };
};
const tokenIn = async () => linkIn(await mail.next(email)).searchParams.get('token');
const isMember = async (organizationId: string) =>
  (await app.database.prisma.membership.count({ where: { organizationId, userId } })) === 1;

describe('leaveOrganization', () => {
  it('Leaving deletes the membership with its teams and keys, even before the person has opened the organization, and is in the audit log', async () => {
    await otherOrganization.manage('POST', '/users/add', { email });
    const { key } = await otherOrganization.userKey(userId);
    expect((await app.graph(key, '{ organization { id } }')).errors).toEqual([]);
    expect((await leave(otherOrganization.id)).data).toEqual({
      leaveOrganization: { leftOrganizationId: otherOrganization.id },
    });
    expect(await isMember(otherOrganization.id)).toBe(false);
    expect(await isMember(homeOrganization.id)).toBe(true);
    expect((await app.graph(key, '{ organization { id } }')).answer.status).toBe(401);
    expect(
      await app.database.prisma.teamMembership.count({
        where: { organizationId: otherOrganization.id, userId },
      }),
    ).toBe(0);
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: otherOrganization.id, action: 'leave-organization' },
    });
    expect(entries).toMatchObject([
      { actorKind: 'SESSION', actorUserId: userId, targetId: userId, changes: { email } },
    ]);
    expect((await leave(otherOrganization.id)).code).toBe('NOT_FOUND');
  });

  it('The last administrator cannot leave, and API keys cannot leave for a person', async () => {
    const administrator = await signIn(app, otherOrganization.administratorId);
    const refused = await leave(otherOrganization.id, administrator);
    expect(refused).toMatchObject({
      code: 'FORBIDDEN',
      errors: [{ message: expect.stringContaining('last administrator') }],
    });
    const { key } = await homeOrganization.userKey(userId);
    expect(
      (await app.graph(key, leaveMutation, { organizationId: homeOrganization.id })).errors[0]
        ?.extensions?.code,
    ).toBe('FORBIDDEN');
    expect(
      (
        await app.graph(homeOrganization.key, leaveMutation, {
          organizationId: homeOrganization.id,
        })
      ).errors[0]?.extensions?.code,
    ).toBe('FORBIDDEN');
  });

  it('If the two administrators leave at the same moment, only one can', async () => {
    await otherOrganization.manage('POST', '/users/add', { email });
    await app.database.prisma.membership.updateMany({
      where: { organizationId: otherOrganization.id, userId },
      data: { role: 'ADMIN' },
    });
    const administrator = await signIn(app, otherOrganization.administratorId);
    const answers = await Promise.all([
      leave(otherOrganization.id),
      leave(otherOrganization.id, administrator),
    ]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['FORBIDDEN', undefined]);
    expect(
      await app.database.prisma.membership.count({
        where: { organizationId: otherOrganization.id, role: 'ADMIN' },
      }),
    ).toBe(1);
  });
});

describe('the mail to a person whose account an organization added', () => {
  it('The mail names the organization, and opening its link changes nothing', async () => {
    await otherOrganization.manage('POST', '/users/add', { email });
    const message = await mail.next(email);
    expect(message.subject).toBe('You were added to an organization on Atrium');
    expect(message.text).toContain(`“${otherOrganization.slug}”`);
    const link = linkIn(message);
    expect(link.origin + link.pathname).toBe('http://atrium.test/auth/membership');
    await app.request('GET', link.pathname + link.search);
    const token = link.searchParams.get('token');
    expect(await anonymousGraph(readQuery, token)).toEqual({
      data: { addedMembership: { organizationName: otherOrganization.slug, email } },
      code: undefined,
    });
    expect((await otherOrganization.manage('GET', `/users/${userId}`)).body['user']).toMatchObject({
      firstName: '',
    });
  });

  it('The mail quotes the name of the organization without web addresses and with at most 80 characters', async () => {
    // Names that were stored before the check of names existed can contain anything.
    const name = `Verify at https://www.evil.example/login ${'x'.repeat(150)}`;
    await app.database.prisma.organization.update({
      where: { id: otherOrganization.id },
      data: { name },
    });
    await otherOrganization.manage('POST', '/users/add', { email });
    const { subject, text = '' } = await mail.next(email);
    expect(subject).toBe('You were added to an organization on Atrium');
    expect(text).not.toMatch(/:\/\/www|evil\.example|x{60}/);
    expect([...(/“(.*?)”/.exec(text)?.[1] ?? '')]).toHaveLength(80);
  });

  it('The recipient of the mail can leave without signing in, once', async () => {
    await otherOrganization.manage('POST', '/users', { email, firstName: 'Somebody' });
    const token = await tokenIn();
    expect((await anonymousGraph(declineMutation, token)).data).toEqual({
      declineAddedMembership: { leftOrganizationId: otherOrganization.id },
    });
    expect(await isMember(otherOrganization.id)).toBe(false);
    expect((await anonymousGraph(declineMutation, token)).code).toBe('NOT_FOUND');
    expect((await anonymousGraph(readQuery, token)).code).toBe('NOT_FOUND');
  });

  it('The recipient of the mail can accept, and the link then becomes invalid', async () => {
    await otherOrganization.manage('POST', '/users/add', { email });
    const token = await tokenIn();
    expect((await anonymousGraph(acceptMutation, token)).data).toEqual({
      acceptAddedMembership: { membership: { organizationId: otherOrganization.id } },
    });
    expect((await otherOrganization.manage('GET', `/users/${userId}`)).body['user']).toMatchObject({
      firstName: 'Grace',
    });
    expect((await anonymousGraph(declineMutation, token)).code).toBe('NOT_FOUND');
    expect(await isMember(otherOrganization.id)).toBe(true);
  });

  it('The mail is not sent to an address without an account, nor more than five times an hour to one person', async () => {
    expect(
      (await otherOrganization.manage('POST', '/users', { email: `new-${email}` })).body[
        'isNewUser'
      ],
    ).toBe(true);
    for (let index = 0; index < 7; index += 1) {
      expect((await otherOrganization.manage('POST', '/users/add', { email })).status).toBe(200);
      expect((await otherOrganization.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    }
    for (let index = 0; index < 5; index += 1) await mail.next(email);
    // The mail for a password reset has a separate limit.
    await postJson(app, '/auth/request-password-reset', { email });
    expect((await mail.next(email)).subject).toBe('Choose a new password');
    expect(
      mail.mails.filter(({ to }) => to?.some(({ address }) => address?.endsWith(email))),
    ).toEqual([]);
  });
});
