import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../../src/modules/accounts/sign-up/create-account.ts';
import { inTransaction } from '../../../../src/platform/database/transaction.ts';
import type { TestOrganization } from '../../../support/app.ts';
import { invite, revokeInvitation } from '../../../support/invitations.ts';
import { type MailApp, mailApp } from '../../../support/mail-app.ts';
import { partnerIn } from '../../../support/partner.ts';
import { enrollApp } from '../../../support/second-factor.ts';
import {
  givePassword,
  password,
  postJson,
  signIn,
  type TestSession,
} from '../../../support/sign-in.ts';

let app: MailApp;
let mail: MailApp['mail'];
beforeAll(async () => {
  app = await mailApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  ({ mail } = app);
});
afterAll(() => app.close());

/** Creates a person without an organization. */
const newPerson = async (email: string, emailVerified: boolean): Promise<string> => {
  const names = { firstName: '', lastName: '' };
  const account = { email, emailVerified, ...names, passwordHash: 'none', at: new Date() };
  return (await inTransaction(app.database, (tx) => createAccount(account, tx))).id;
};
const inviteBy = async ({ administratorId }: TestOrganization, email: string): Promise<string> =>
  (await invite(await signIn(app, administratorId), email)).invitation.id;
const remove = (session: TestSession, email: string) =>
  session.graph(
    'mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }',
    { email },
  );
const exported = (session: TestSession) =>
  session.graph<{ exportAccount: { data: Record<string, unknown> } }>(
    'mutation { exportAccount(input: {}) { data } }',
  );
const reasonOf = async (result: ReturnType<TestSession['graph']>) =>
  (await result).errors[0]?.extensions?.reason;
const makeOld = (userId: string) =>
  app.database.prisma.session.updateMany({
    where: { userId },
    data: { authenticatedAt: new Date(0) },
  });

describe('the export of an account', () => {
  it('The export has the data of all organizations and no secret', async () => {
    const [owner, other] = [await app.organization(), await app.organization()];
    const { id } = await owner.member(`export@${owner.slug}.example`);
    const email = `export@${owner.slug}.example`;
    const { key } = await owner.userKey(id);
    await other.manage('POST', '/users/add', { email });
    const { session, secret, recoveryCodes } = await enrollApp(app, id);
    const { data } = await exported(session);
    expect(data?.exportAccount.data).toMatchObject({
      account: { id, email },
      memberships: expect.arrayContaining(
        [owner, other].map((one) =>
          expect.objectContaining({ organization: { id: one.id, name: one.slug } }),
        ),
      ),
      waysToSignIn: [{ providerId: 'credential' }],
      secondFactors: {
        authenticatorApps: [{ confirmedAt: expect.any(String) }],
        passkeys: [],
        recoveryCodesLeft: 10,
      },
      sessions: [expect.objectContaining({ createdAt: expect.any(String) })],
      keys: [expect.objectContaining({ lastFour: key.slice(-4) })],
      auditEntries: expect.arrayContaining([
        expect.objectContaining({ action: 'add-authenticator-app' }),
      ]),
    });
    const text = JSON.stringify(data);
    const { token } = await app.database.prisma.session.findFirstOrThrow({ where: { userId: id } });
    for (const hidden of [key, secret, token, ...recoveryCodes]) expect(text).not.toContain(hidden);
    expect(text).not.toContain(owner.administratorId);
  });

  it('The export has the invitations of organizations to the confirmed address, and nobody else’s', async () => {
    const [first, second] = [await app.organization(), await app.organization()];
    const [email, unconfirmed] = [`invited@${first.slug}.example`, `taken@${first.slug}.example`];
    const revoked = await inviteBy(second, email);
    await inviteBy(first, email);
    await inviteBy(first, `other@${first.slug}.example`);
    await inviteBy(first, unconfirmed);
    const administrator = await signIn(app, second.administratorId);
    expect((await administrator.graph(revokeInvitation, { id: revoked })).errors).toEqual([]);
    const invitationsOf = async (address: string, emailVerified: boolean) => {
      const { data } = await exported(await signIn(app, await newPerson(address, emailVerified)));
      return data?.exportAccount.data['receivedOrganizationInvitations'];
    };
    const invited = await invitationsOf(email, true);
    expect(invited).toEqual([
      expect.objectContaining({
        ...{ email, role: 'MEMBER', state: 'OPEN', createdAt: expect.any(String) },
        organization: { id: first.id, name: first.slug },
      }),
      expect.objectContaining({
        ...{ email, role: 'MEMBER', state: 'REVOKED', revokedAt: expect.any(String) },
        organization: { id: second.id, name: second.slug },
      }),
    ]);
    expect(JSON.stringify(invited)).not.toContain('oken');
    // Anybody can sign up with the address of another person.
    expect(await invitationsOf(unconfirmed, false)).toEqual([]);
  });

  it('The export needs a recent sign-in, is limited, and is rejected for keys', async () => {
    const owner = await app.organization();
    const session = await signIn(app, owner.administratorId);
    await makeOld(owner.administratorId);
    expect(await reasonOf(exported(session))).toBe('SIGN_IN_NOT_RECENT');
    await session.graph(
      'mutation ($password: String!) { confirmPassword(input: { password: $password }) { success } }',
      { password },
    );
    const codes = [];
    for (let attempt = 0; attempt < 6; attempt += 1) codes.push((await exported(session)).code);
    expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined, 'RATE_LIMITED']);
    for (const query of [
      'mutation { exportAccount(input: {}) { data } }',
      'mutation { deleteAccount(input: { email: "x@y.example" }) { success } }',
    ]) {
      expect(
        (await app.graph(await owner.keyOf('USER_KEY'), query)).errors[0]?.extensions?.code,
      ).toBe('FORBIDDEN');
    }
  });
});

describe('the deletion of an account', () => {
  it('A deletion ends sessions and keys at once, leaves the audit log without a name, and is confirmed by mail', async () => {
    const owner = await app.organization();
    const { id } = await owner.member(`gone@${owner.slug}.example`, { firstName: 'Grace' });
    const email = await givePassword(app, id);
    const { key } = await owner.userKey(id);
    const [session, other] = [await signIn(app, id), await signIn(app, id)];
    expect((await remove(session, email)).data).toEqual({ deleteAccount: { success: true } });
    for (const one of [session, other])
      expect((await one.graph('{ viewer { kind } }')).data).toEqual({ viewer: null });
    expect((await app.graph(key, '{ viewer { kind } }')).errors[0]?.extensions?.code).toBe(
      'UNAUTHENTICATED',
    );
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(401);
    expect(await app.database.prisma.user.count({ where: { id } })).toBe(0);
    const entry = await app.database.prisma.auditEntry.findFirstOrThrow({
      where: { organizationId: owner.id, action: 'delete-account' },
    });
    expect(entry).toMatchObject({ actorUserId: id, targetId: id });
    const administrator = await signIn(app, owner.administratorId);
    const log = await administrator.graph('{ auditLog { entries { action actorName } } }');
    expect(JSON.stringify(log.data)).not.toContain('Grace');
    await expect
      .poll(() =>
        mail.mails.filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject),
      )
      .toContain('Your account was deleted');
  });

  it('The entry of a deletion says how many keys and invitations of the organization it has revoked', async () => {
    const owner = await app.organization();
    const { id } = await owner.member(`admin2@${owner.slug}.example`);
    const email = await givePassword(app, id);
    await app.database.sql`update api_keys set responsible_id = ${id} where id = ${owner.keyId}`;
    const other = await app.organization();
    const session = await signIn(app, id);
    expect((await remove(session, email)).errors).toEqual([]);
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: { in: [owner.id, other.id] }, action: 'delete-account' },
    });
    expect(entries.map(({ organizationId, changes }) => [organizationId, changes])).toEqual([
      [owner.id, { revokedKeys: 1, revokedInvitations: 0 }],
    ]);
    const [key] = await app.database.sql<{ revoked: boolean }>`
      select revoked_at is not null as revoked from api_keys where id = ${owner.keyId}`;
    expect(key).toEqual({ revoked: true });
  });

  it('A deletion deletes the invitations of organizations to the confirmed address', async () => {
    const owner = await app.organization();
    const [email, unconfirmed, other] = ['invited', 'taken', 'other'].map(
      (name) => `${name}@${owner.slug}.test`,
    ) as [string, string, string];
    for (const address of [email, unconfirmed, other]) await inviteBy(owner, address);
    for (const [address, emailVerified] of [
      [email, true],
      [unconfirmed, false],
    ] as const) {
      const session = await signIn(app, await newPerson(address, emailVerified));
      expect((await remove(session, address)).errors).toEqual([]);
    }
    const stored = await app.database.prisma.invitation.findMany({
      where: { organizationId: owner.id },
      select: { email: true },
    });
    expect(stored.map((invitation) => invitation.email).toSorted()).toEqual([other, unconfirmed]);
  });

  it('A deletion needs a recent sign-in and the typed address', async () => {
    const owner = await app.organization();
    const { id } = await owner.member(`typed@${owner.slug}.example`);
    const session = await signIn(app, id);
    expect(await reasonOf(remove(session, 'other@typed.example'))).toBe('EMAIL_DIFFERS');
    await makeOld(id);
    expect(await reasonOf(remove(session, `typed@${owner.slug}.example`))).toBe(
      'SIGN_IN_NOT_RECENT',
    );
    expect(await app.database.prisma.user.count({ where: { id } })).toBe(1);
  });

  it('The last administrator of an organization cannot delete the account, and of two concurrent ones only one can', async () => {
    const owner = await app.organization();
    const { id } = await owner.member(`second@${owner.slug}.example`);
    const administrator = await signIn(app, owner.administratorId);
    const alone = await remove(administrator, `admin@${owner.slug}.example`);
    expect(alone.errors[0]).toMatchObject({
      message: expect.stringContaining(`“${owner.slug}”`),
      extensions: { code: 'CONFLICT', reason: 'LAST_ADMINISTRATOR' },
    });
    await app.database.prisma.membership.updateMany({
      where: { userId: id },
      data: { role: 'ADMIN' },
    });
    const second = await signIn(app, id);
    const answers = await Promise.all([
      remove(administrator, `admin@${owner.slug}.example`),
      remove(second, `second@${owner.slug}.example`),
    ]);
    expect(answers.map(({ errors }) => errors[0]?.extensions?.reason).toSorted()).toEqual([
      'LAST_ADMINISTRATOR',
      undefined,
    ]);
    expect(
      await app.database.prisma.membership.count({
        where: { organizationId: owner.id, role: 'ADMIN' },
      }),
    ).toBe(1);
  });

  it('A deletion leaves the redemptions of the partner unchanged, and the same address cannot redeem the offer again', async () => {
    const partner = await partnerIn(app);
    const { id: campaignId } = await partner.campaign();
    const link = await partner.link(campaignId);
    const { userId: id, email, organizationId } = await partner.redeem(link);
    const list = async () =>
      (await partner.sponsor('GET', `/campaigns/${campaignId}/redemptions`)).body[
        'redemptions'
      ] as Record<string, unknown>[];
    const before = await list();
    expect(before).toMatchObject([{ userEmail: email }]);
    // Another administrator takes over the workspace.
    const successor = await (await app.organization()).member(`successor@${id}.example`);
    const { createdAt: userCreatedAt } = await app.database.prisma.user.findUniqueOrThrow({
      where: { id: successor.id },
    });
    await app.database.prisma.membership.create({
      data: { organizationId, userId: successor.id, userCreatedAt, role: 'ADMIN' },
    });
    expect((await remove(await signIn(app, id), email)).errors).toEqual([]);
    expect(await list()).toEqual(before);
    const redemptions = await partner.sponsor(
      'GET',
      `/campaigns/${campaignId}/redemptions?search=${encodeURIComponent(email)}`,
    );
    expect(JSON.stringify(redemptions.body)).toContain(email);
    const newUser = await app.database.prisma.user.create({ data: { id: `again-${id}`, email } });
    await app.database.prisma.account.create({
      data: {
        id: `again-${id}`,
        userId: newUser.id,
        accountId: newUser.id,
        providerId: 'credential',
      },
    });
    const session = await signIn(app, newUser.id);
    expect(
      await reasonOf(
        session.graph(
          'mutation ($token: String!) { reserveSponsorship(input: { token: $token }) { offer { campaignName } } }',
          { token: link['token'] },
        ),
      ),
    ).toBe('ALREADY_REDEEMED');
    // Nobody has to reserve before, and a visitor can reserve before they have an account.
    expect(
      await reasonOf(
        session.graph(
          'mutation ($token: String!) { redeemSponsorship(input: { token: $token, organizationName: "Again" }) { workspace { campaignName } } }',
          { token: link['token'] },
        ),
      ),
    ).toBe('ALREADY_REDEEMED');
    expect(await list()).toEqual(before);
  });
});
