import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../src/modules/accounts/sign-up/create-account.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { answerOf, graphAnswerOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import {
  acceptInvitation,
  invite,
  inviteMember,
  previewInvitation,
  resendInvitation,
  revokeInvitation,
  type SentInvitation,
  tokenIn,
} from '../../support/invitations.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { postJson, signIn, type TestSession } from '../../support/sign-in.ts';

const day = 24 * 3_600_000;
const now = Date.now();
let app: TestApp;
let mailServer: Awaited<ReturnType<typeof receiveMail>>;
let owner: TestOrganization;
let admin: TestSession;

beforeAll(async () => {
  mailServer = await receiveMail();
  app = await testApp(
    { USER_KEY_LIMIT: '100000', ORIGIN: 'http://atrium.test', ...mailServer.settings },
    { clock: () => new Date(now) },
  );
  owner = await app.organization();
  admin = await signIn(app, owner.administratorId);
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

const reasonOf = (errors: { extensions?: object | undefined }[]) =>
  Object(errors[0]?.extensions).reason;
const preview = async (token: string) => {
  const query = { query: previewInvitation, variables: { token } };
  const { data, errors } = graphAnswerOf(await postJson(app, '/graphql', query));
  const { code, reason } = errors[0]?.extensions ?? {};
  return { offer: data?.['result'] ?? undefined, code, reason };
};

/** Creates a person with an account and without an organization, and signs them in. */
async function signedInPerson(email: string): Promise<TestSession & { id: string }> {
  const { id } = await inTransaction(app.database, (tx) =>
    createAccount(
      {
        email,
        firstName: '',
        lastName: '',
        passwordHash: 'none',
        at: new Date(now),
        emailVerified: true,
      },
      tx,
    ),
  );
  return { ...(await signIn(app, id)), id };
}

const accept = async (session: TestSession, token: string) => {
  const { data, errors, code } = await session.graph<{ result: { organization: { id: string } } }>(
    acceptInvitation,
    { token },
  );
  return { organizationId: data?.result.organization.id, code, reason: reasonOf(errors) };
};
/** Moves an invitation back in time, so that it expires now. */
const expire = ({ invitation: { id } }: SentInvitation) =>
  app.database.prisma.invitation.update({
    where: { id },
    data: { createdAt: new Date(now - 7 * day), expiresAt: new Date(now) },
  });
const roleOf = async (userId: string) =>
  (await app.database.prisma.membership.findFirst({ where: { organizationId: owner.id, userId } }))
    ?.role;
const auditEntriesOf = (targetId: string) =>
  app.database.prisma.auditEntry.findMany({
    where: { targetId },
    select: { action: true, actorUserId: true, changes: true },
    orderBy: { action: 'desc' },
  });

describe('inviteMember', () => {
  it('inviteMember mails a link to the address and returns the same link to the administrator', async () => {
    const { link, isMailed, invitation } = await invite(admin, ' Mailed@Invite.Example ');
    expect(invitation).toMatchObject({
      email: 'mailed@invite.example',
      role: 'MEMBER',
      state: 'OPEN',
      team: null,
      invitedBy: { id: owner.administratorId },
    });
    expect(isMailed).toBe(true);
    expect(link).toMatch(/^http:\/\/atrium\.test\/auth\?invitation=[0-9A-Za-z]{32}$/);
    const mail = await mailServer.next('mailed@invite.example');
    expect(linkIn(mail).href).toBe(link);
    expect(mail.subject).toBe('You are invited to a workspace on Atrium');
    expect(mail.text).toContain(`“Ada ${owner.slug}” invites you to join “${owner.slug}”`);
  });

  it('The token of an invitation is neither stored nor logged', async () => {
    const { token } = await invite(admin, 'secret@invite.example');
    const rows = JSON.stringify(
      await app.database.prisma
        .$queryRaw`select i::text as row from invitations i union all select a::text from audit_entries a`,
    );
    expect(rows).toContain('secret@invite.example');
    expect(rows).not.toContain(token);
    expect(app.logLines.join('')).not.toContain(token);
  });

  it('An address can have only one open invitation of an organization until that one is revoked or has expired', async () => {
    const first = await invite(admin, 'twice@invite.example');
    expect(
      (await admin.graph(inviteMember, { email: 'TWICE@invite.example', role: 'ADMIN' })).code,
    ).toBe('CONFLICT');
    await admin.graph(revokeInvitation, { id: first.invitation.id });
    const second = await invite(admin, 'twice@invite.example', { role: 'ADMIN' });
    await expire(second);
    const third = await invite(admin, 'twice@invite.example');
    expect((await preview(second.token)).reason).toBe('INVITATION_REVOKED');
    expect((await preview(third.token)).offer).toMatchObject({ role: 'MEMBER' });
    const rival = await app.organization();
    await invite(await signIn(app, rival.administratorId), 'twice@invite.example');
  });

  it('A member cannot be invited', async () => {
    await owner.member('member@invite.example');
    expect(
      (await admin.graph(inviteMember, { email: 'member@invite.example', role: 'ADMIN' })).code,
    ).toBe('CONFLICT');
  });

  it('Only signed-in administrators can invite members', async () => {
    const { id } = await owner.member('plain@invite.example');
    const input = { email: 'nobody@invite.example', role: 'MEMBER' };
    expect((await (await signIn(app, id)).graph(inviteMember, input)).code).toBe('FORBIDDEN');
    expect((await app.graph(owner.key, inviteMember, input)).errors[0]?.extensions?.code).toBe(
      'FORBIDDEN',
    );
    expect((await admin.graph(inviteMember, { ...input, email: 'no address' })).code).toBe(
      'BAD_INPUT',
    );
  });

  it('An organization can send at most a hundred invitations an hour', async () => {
    const busy = await app.organization();
    const session = await signIn(app, busy.administratorId);
    const email = `admin@${busy.slug}.example`;
    const codes: unknown[] = [];
    for (let index = 0; index < 101; index += 1)
      codes.push((await session.graph(inviteMember, { email, role: 'MEMBER' })).code);
    expect(codes.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'CONFLICT'));
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(
      (await admin.graph(inviteMember, { email: `admin@${owner.slug}.example`, role: 'MEMBER' }))
        .code,
    ).toBe('CONFLICT');
  });

  it('Without a mail server the link is only returned to the administrator', async () => {
    const quiet = await testApp();
    const { administratorId } = await quiet.organization();
    const { link, isMailed } = await invite(
      await signIn(quiet, administratorId),
      'silent@invite.example',
    );
    expect(isMailed).toBe(false);
    expect(tokenIn(link)).toHaveLength(32);
    await quiet.close();
  });
});

describe('the link of an invitation', () => {
  it('The link shows the organization, the inviting person, the role and whether an account is needed, and nothing else', async () => {
    const { token } = await invite(admin, 'fresh@link.example');
    const offer = {
      organizationName: owner.slug,
      email: 'fresh@link.example',
      role: 'MEMBER',
      invitedBy: `Ada ${owner.slug}`,
      needsAccount: true,
      needsPassword: false,
    };
    expect((await preview(token)).offer).toEqual({
      ...offer,
      expiresAt: new Date(now + 7 * day).toISOString(),
    });
    await signedInPerson('fresh@link.example');
    expect((await preview(token)).offer).toMatchObject({
      needsAccount: false,
      needsPassword: false,
    });
    const rival = await app.organization();
    await rival.manage('POST', '/users', { email: 'made@link.example' });
    expect((await preview((await invite(admin, 'made@link.example')).token)).offer).toMatchObject({
      needsAccount: false,
      needsPassword: true,
    });
  });

  it('An invitation link that has expired, was revoked, was replaced or never existed is refused', async () => {
    const [expired, revoked, replaced] = [
      await invite(admin, 'a@gone.example'),
      await invite(admin, 'b@gone.example'),
      await invite(admin, 'c@gone.example'),
    ];
    await admin.graph(revokeInvitation, { id: revoked.invitation.id });
    await admin.graph(resendInvitation, { id: replaced.invitation.id });
    await expire(expired);
    const person = await signedInPerson('a@gone.example');
    for (const [token, code, reason] of [
      [expired.token, 'FORBIDDEN', 'INVITATION_EXPIRED'],
      [revoked.token, 'FORBIDDEN', 'INVITATION_REVOKED'],
      [replaced.token, 'NOT_FOUND', undefined],
      ['A'.repeat(32), 'NOT_FOUND', undefined],
      ['\0', 'NOT_FOUND', undefined],
    ] as const) {
      expect(await preview(token)).toMatchObject({ offer: undefined, code, reason });
      expect(await accept(person, token)).toMatchObject({ code, reason });
    }
    expect(await roleOf(person.id)).toBeUndefined();
  });

  it('One network can preview invitations sixty times a minute', async () => {
    const alone = await testApp();
    const codes: unknown[] = [];
    for (let index = 0; index < 61; index += 1) {
      codes.push(
        Object(
          (
            await postJson(alone, '/graphql', {
              query: previewInvitation,
              variables: { token: 'x' },
            })
          ).body['errors'],
        )[0].extensions.code,
      );
    }
    expect(codes.filter((code) => code === 'NOT_FOUND').length).toBeLessThanOrEqual(60);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    await alone.close();
  });
});

describe('acceptInvitation', () => {
  it('Accepting makes the invited person a member with the role, in the default team and the chosen team, once', async () => {
    const team = await owner.manage('POST', '/teams', { name: 'Chosen' });
    const { id: teamId } = answerOf('createTeam', team).team;
    const { token, invitation } = await invite(admin, 'joins@accept.example', {
      role: 'ADMIN',
      teamId,
    });
    expect(invitation.team).toEqual({ id: teamId });
    const person = await signedInPerson('joins@accept.example');
    expect(await accept(person, token)).toMatchObject({ organizationId: owner.id });
    expect(await roleOf(person.id)).toBe('ADMIN');
    const teams = await app.database.prisma.teamMembership.findMany({
      where: { userId: person.id },
      select: { teamId: true },
    });
    expect(teams.map((team) => team.teamId).toSorted()).toEqual(
      [owner.defaultTeamId, teamId].toSorted(),
    );
    expect(await accept(person, token)).toMatchObject({
      code: 'CONFLICT',
      reason: 'INVITATION_USED',
    });
    expect(await auditEntriesOf(invitation.id)).toMatchObject([
      {
        action: 'invite-member',
        actorUserId: owner.administratorId,
        changes: { email: 'joins@accept.example', role: 'ADMIN', teamId },
      },
      { action: 'accept-invitation', actorUserId: person.id, changes: { userId: person.id } },
    ]);
  });

  it('Only the owner of the invited address can accept, and attempts of others do not invalidate the link', async () => {
    const { token } = await invite(admin, 'right@accept.example');
    const wrong = await signedInPerson('wrong@accept.example');
    expect(await accept(wrong, token)).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'INVITATION_FOR_ANOTHER',
    });
    expect(await roleOf(wrong.id)).toBeUndefined();
    expect(
      (await app.graph(owner.key, acceptInvitation, { token })).errors[0]?.extensions?.code,
    ).toBe('FORBIDDEN');
    expect(
      (await postJson(app, '/graphql', { query: acceptInvitation, variables: { token } })).body[
        'errors'
      ],
    ).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await accept(await signedInPerson('right@accept.example'), token)).toMatchObject({
      organizationId: owner.id,
    });
  });

  it('Accepting an invitation does not verify the address, because the administrator has the link too', async () => {
    const { token } = await invite(admin, 'unproven@accept.example');
    const { id, ...person } = await signedInPerson('unproven@accept.example');
    await app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    await accept(person, token);
    expect(
      await app.database.prisma.user.findUnique({ where: { id }, select: { emailVerified: true } }),
    ).toEqual({ emailVerified: false });
  });

  it('If the person was added in the meantime, the invitation accepts that membership and keeps its role', async () => {
    const { token } = await invite(admin, 'faster@accept.example', { role: 'ADMIN' });
    const person = await signedInPerson('faster@accept.example');
    await owner.manage('POST', '/users/add', { email: 'faster@accept.example' });
    expect(await accept(person, token)).toMatchObject({ organizationId: owner.id });
    expect(await roleOf(person.id)).toBe('MEMBER');
    expect(
      await app.database.prisma.membership.count({
        where: { userId: person.id, acceptedAt: { not: null } },
      }),
    ).toBe(1);
  });

  it('An invitation is refused to a person who has already accepted a membership', async () => {
    const { token } = await invite(admin, 'inside@accept.example');
    const { id, ...person } = await signedInPerson('inside@accept.example');
    await owner.manage('POST', '/users/add', { email: 'inside@accept.example' });
    await app.database.prisma.membership.updateMany({
      where: { userId: id },
      data: { acceptedAt: new Date() },
    });
    expect(await accept(person, token)).toMatchObject({
      code: 'CONFLICT',
      reason: 'ALREADY_MEMBER',
    });
  });

  it('Accepting is refused while all seats are taken, and works when a seat is free again', async () => {
    const small = await app.organization({ seatLimit: 1 });
    const { token } = await invite(await signIn(app, small.administratorId), 'late@accept.example');
    const person = await signedInPerson('late@accept.example');
    expect(await accept(person, token)).toMatchObject({ code: 'SEAT_LIMIT_REACHED' });
    await app.database.prisma.organization.update({
      where: { id: small.id },
      data: { seatLimit: 2 },
    });
    expect(await accept(person, token)).toMatchObject({ organizationId: small.id });
  });

  it('If the chosen team was deleted, the person joins only the default team', async () => {
    const team = await owner.manage('POST', '/teams', { name: 'Short-lived' });
    const { id: teamId } = answerOf('createTeam', team).team;
    const { token } = await invite(admin, 'teamless@accept.example', { teamId });
    expect((await owner.manage('DELETE', `/teams/${teamId}`)).status).toBe(200);
    const person = await signedInPerson('teamless@accept.example');
    expect(await accept(person, token)).toMatchObject({ organizationId: owner.id });
    expect(await app.database.prisma.teamMembership.count({ where: { userId: person.id } })).toBe(
      1,
    );
  });
});

describe('resendInvitation and revokeInvitation', () => {
  it('Resending an invitation, even an expired one, replaces the link with a new one for seven days', async () => {
    const first = await invite(admin, 'again@resend.example');
    await mailServer.next('again@resend.example');
    await expire(first);
    const { data } = await admin.graph<{ result: SentInvitation }>(resendInvitation, {
      id: first.invitation.id,
    });
    expect(data?.result).toMatchObject({
      isMailed: true,
      invitation: {
        id: first.invitation.id,
        state: 'OPEN',
        expiresAt: new Date(now + 7 * day).toISOString(),
      },
    });
    const link = data?.result.link ?? '';
    expect(linkIn(await mailServer.next('again@resend.example')).href).toBe(link);
    expect((await preview(first.token)).code).toBe('NOT_FOUND');
    expect(await accept(await signedInPerson('again@resend.example'), tokenIn(link))).toMatchObject(
      {
        organizationId: owner.id,
      },
    );
    expect((await admin.graph(resendInvitation, { id: first.invitation.id })).code).toBe(
      'CONFLICT',
    );
    expect((await admin.graph(revokeInvitation, { id: first.invitation.id })).code).toBe(
      'CONFLICT',
    );
  });

  it('Revoking an invitation twice changes nothing, and a revoked invitation cannot be resent', async () => {
    const { invitation } = await invite(admin, 'off@revoke.example');
    for (let times = 0; times < 2; times += 1) {
      expect((await admin.graph(revokeInvitation, { id: invitation.id })).data).toEqual({
        result: { invitation: { id: invitation.id, state: 'REVOKED' } },
      });
    }
    expect((await auditEntriesOf(invitation.id)).map(({ action }) => action).toSorted()).toEqual([
      'invite-member',
      'revoke-invitation',
    ]);
    expect((await admin.graph(resendInvitation, { id: invitation.id })).code).toBe('FORBIDDEN');
  });

  it('Invitations of another organization are not found', async () => {
    const { invitation, token } = await invite(admin, 'ours@foreign.example');
    const rival = await signIn(app, (await app.organization()).administratorId);
    expect((await rival.graph(resendInvitation, { id: invitation.id })).code).toBe('NOT_FOUND');
    expect((await rival.graph(revokeInvitation, { id: invitation.id })).code).toBe('NOT_FOUND');
    expect(
      (
        await rival.graph(inviteMember, {
          email: 'x@foreign.example',
          role: 'MEMBER',
          teamId: owner.defaultTeamId,
        })
      ).code,
    ).toBe('NOT_FOUND');
    expect((await rival.graph('{ invitations { totalCount nodes { id } } }')).data).toEqual({
      invitations: { totalCount: 0, nodes: [] },
    });
    expect((await preview(token)).offer).toBeDefined();
  });
});

describe('invitations', () => {
  it('The list has the open and expired invitations, newest first, in pages', async () => {
    const other = await app.organization();
    const session = await signIn(app, other.administratorId);
    await expire(await invite(session, 'one@list.example'));
    const revoked = await invite(session, 'gone@list.example');
    await session.graph(revokeInvitation, { id: revoked.invitation.id });
    const used = await invite(session, 'used@list.example');
    await accept(await signedInPerson('used@list.example'), used.token);
    await invite(session, 'two@list.example', { role: 'ADMIN' });
    const query =
      'query ($page: SafeInt!) { invitations(page: $page, pageSize: 1) { totalCount totalPages nodes { email state role } } }';
    const pages = await Promise.all(
      [1, 2, 3].map(
        async (page) => Object((await session.graph(query, { page })).data).invitations,
      ),
    );
    expect(pages.map(({ nodes }) => nodes)).toEqual([
      [{ email: 'two@list.example', state: 'OPEN', role: 'ADMIN' }],
      [{ email: 'one@list.example', state: 'EXPIRED', role: 'MEMBER' }],
      [],
    ]);
    expect(pages[0]).toMatchObject({ totalCount: 2, totalPages: 2 });
  });
});
