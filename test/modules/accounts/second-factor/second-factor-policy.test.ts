import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetSecondFactor } from '../../../../src/modules/accounts/second-factor/end-second-factors.ts';
import { setPlatformSupport } from '../../../../src/modules/accounts/set-platform-support.ts';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';
import { enrollApp, firstStep } from '../../../support/second-factor.ts';
import { signIn, type TestSession } from '../../../support/sign-in.ts';

const work = '{ organization { id } }';
const viewerQuery =
  '{ viewer { isAdmin isPlatformSupport lacksSecondFactor features organization { id } person { id } memberships { organization { name } } } }';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const setPolicy = (session: TestSession, policy: string, headers: Record<string, string> = {}) =>
  session.graph(
    'mutation ($policy: SecondFactorPolicy!) { setSecondFactorPolicy(input: { policy: $policy }) { organization { secondFactorPolicy } } }',
    { policy },
    headers,
  );
const reasonOf = async (result: ReturnType<TestSession['graph']>) =>
  (await result).errors[0]?.extensions?.reason;

async function organizationWithAdministrator() {
  const owner = await app.organization();
  const { id } = await owner.member(`member@${owner.slug}.example`);
  return {
    owner,
    admin: (await enrollApp(app, owner.administratorId)).session,
    member: { id, session: await signIn(app, id) },
  };
}
const entries = ({ id }: TestOrganization) =>
  app.database.prisma.auditEntry.findMany({
    where: { organizationId: id },
    orderBy: { id: 'asc' },
  });

describe('an organization that requires a second factor', () => {
  it('With the policy EVERYBODY members without a second factor are rejected until they have set one up', async () => {
    const { owner, admin, member } = await organizationWithAdministrator();
    expect((await setPolicy(admin, 'EVERYBODY')).data).toEqual({
      setSecondFactorPolicy: { organization: { secondFactorPolicy: 'EVERYBODY' } },
    });
    expect(await reasonOf(member.session.graph(work))).toBe('SECOND_FACTOR_REQUIRED');
    expect((await admin.graph(work)).data).toEqual({ organization: { id: owner.id } });
    const noAccess = {
      isAdmin: false,
      isPlatformSupport: false,
      lacksSecondFactor: true,
      features: [],
      organization: null,
      person: { id: member.id },
    };
    expect((await member.session.graph(viewerQuery)).data).toEqual({
      viewer: { ...noAccess, memberships: [{ organization: { name: owner.slug } }] },
    });
    const files = await app.request('GET', '/files/any/any', {
      headers: { cookie: member.session.cookie },
    });
    expect(files.status).toBeGreaterThanOrEqual(403);
    const { session } = await enrollApp(app, member.id);
    expect((await session.graph(work)).data).toEqual({ organization: { id: owner.id } });
  });

  it('With the policy ADMINISTRATORS other members need no second factor, and a new administrator does', async () => {
    const { owner, admin, member } = await organizationWithAdministrator();
    await setPolicy(admin, 'ADMINISTRATORS');
    expect((await member.session.graph(work)).data).toEqual({ organization: { id: owner.id } });
    await app.database.prisma.membership.updateMany({
      where: { organizationId: owner.id, userId: member.id },
      data: { role: 'ADMIN' },
    });
    expect(await reasonOf(member.session.graph(work))).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('Keys and the person’s other organizations stay usable', async () => {
    const { owner, admin, member } = await organizationWithAdministrator();
    const key = await owner.keyOf('USER_KEY');
    const other = await app.organization();
    await other.manage('POST', '/users/add', { email: `member@${owner.slug}.example` });
    await setPolicy(admin, 'EVERYBODY');
    expect((await app.graph(key, work)).data).toEqual({ organization: { id: owner.id } });
    expect((await owner.manage('GET', '/users')).status).toBe(200);
    expect(
      (await member.session.graph(work, {}, { 'x-atrium-organization': other.id })).data,
    ).toEqual({ organization: { id: other.id } });
  });

  it('A member is rejected again after removing the last second factor', async () => {
    const { admin, owner } = await organizationWithAdministrator();
    await setPolicy(admin, 'ADMINISTRATORS');
    await admin.graph(
      'mutation { removeAuthenticatorApp(input: {}) { secondFactor { authenticatorAppSince } } }',
    );
    expect(await reasonOf(admin.graph(work))).toBe('SECOND_FACTOR_REQUIRED');
    const again = await enrollApp(app, owner.administratorId);
    expect((await again.session.graph(work)).data).toEqual({ organization: { id: owner.id } });
  });

  it('Only administrators with a second factor and a recent sign-in change the policy, and every change is in the audit log', async () => {
    const { owner, admin, member } = await organizationWithAdministrator();
    expect((await setPolicy(member.session, 'EVERYBODY')).code).toBe('FORBIDDEN');
    for (const kind of ['USER_KEY', 'ORGANIZATION_KEY'] as const) {
      const result = await app.graph(
        await owner.keyOf(kind),
        'mutation { setSecondFactorPolicy(input: { policy: OPTIONAL }) { organization { id } } }',
      );
      expect(result.errors[0]?.extensions?.code).toBe('FORBIDDEN');
    }
    const plain = await app.organization();
    const unprotected = await signIn(app, plain.administratorId);
    expect(await reasonOf(setPolicy(unprotected, 'EVERYBODY'))).toBe('NO_SECOND_FACTOR');
    for (const policy of ['EVERYBODY', 'EVERYBODY', 'OPTIONAL'])
      expect((await setPolicy(admin, policy)).errors).toEqual([]);
    await app.database.prisma.session.updateMany({
      where: { userId: owner.administratorId },
      data: { authenticatedAt: new Date(0) },
    });
    expect(await reasonOf(setPolicy(admin, 'ADMINISTRATORS'))).toBe('SIGN_IN_NOT_RECENT');
    expect(
      (await entries(owner)).filter(({ action }) => action === 'set-second-factor-policy'),
    ).toMatchObject([
      {
        actorUserId: owner.administratorId,
        changes: { secondFactorPolicy: 'EVERYBODY', before: 'OPTIONAL' },
      },
      { changes: { secondFactorPolicy: 'OPTIONAL', before: 'EVERYBODY' } },
    ]);
  });
});

describe('platform support', () => {
  it('Platform support needs a second factor, whatever the organizations require', async () => {
    const owner = await app.organization();
    const { id, email } = await owner
      .member('support@policy.example')
      .then(async (person) => ({ ...person, email: 'support@policy.example' }));
    await setPlatformSupport({ email, isPlatformSupport: true, trustsAddress: true }, app);
    const session = await signIn(app, id);
    const act =
      'mutation ($id: ID!) { setOrganizationTerms(input: { organizationId: $id, seatLimit: 9 }) { organizationId } }';
    expect(await reasonOf(session.graph(act, { id: owner.id }))).toBe('SECOND_FACTOR_REQUIRED');
    expect((await session.graph(viewerQuery)).data).toMatchObject({
      viewer: { isPlatformSupport: false, lacksSecondFactor: true, organization: null },
    });
    const enrolled = await enrollApp(app, id);
    expect((await enrolled.session.graph(act, { id: owner.id })).data).toEqual({
      setOrganizationTerms: { organizationId: owner.id },
    });
  });

  it('The operator’s command removes second factors, sessions and unfinished sign-ins', async () => {
    const owner = await app.organization();
    const { id } = await owner.member('lost@policy.example');
    const { session, email, recoveryCodes } = await enrollApp(app, id);
    const { verify } = await firstStep(app, email);
    await resetSecondFactor({ email: 'Lost@policy.example' }, app);
    expect((await session.graph(viewerQuery)).data).toEqual({ viewer: null });
    expect((await verify(recoveryCodes[0] ?? '')).body['reason']).toBe('SIGN_IN_EXPIRED');
    expect((await firstStep(app, email)).answer.body).toEqual({ signedIn: true });
    await expect(resetSecondFactor({ email: 'nobody@policy.example' }, app)).rejects.toThrow(
      'User not found',
    );
  });
});
