import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';
import { createAuthenticator } from '../../../support/passkey.ts';
import { enrollApp, firstStep, secondStep } from '../../../support/second-factor.ts';
import {
  cookieOf,
  givePassword,
  postJson,
  sessionWith,
  signIn,
  type TestSession,
} from '../../../support/sign-in.ts';

const origin = 'http://atrium.test';
const viewerQuery = '{ viewer { person { id } } }';
const add =
  'mutation ($response: PasskeyRegistration!) { addPasskey(input: { name: "Laptop", response: $response }) { recoveryCodes } }';
const list = '{ secondFactor { passkeys { id name lastUsedAt } recoveryCodesLeft } }';
type PasskeyListResult = {
  secondFactor: {
    passkeys: { id: string; name: string; lastUsedAt: string | null }[];
    recoveryCodesLeft: number;
  };
};
let app: TestApp;
let owner: TestOrganization;
let personCount = 0;

beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
});
afterAll(() => app.close());

async function person() {
  personCount += 1;
  const { id } = await owner.member(`person-${personCount}@passkey.example`);
  return { id, session: await signIn(app, id), email: await givePassword(app, id) };
}
const challengeIn = async (session: TestSession) => {
  const { data } = await session.graph<{ startPasskey: { options: { challenge: string } } }>(
    'mutation { startPasskey(input: {}) { options } }',
  );
  return data?.startPasskey.options.challenge ?? '';
};
async function withPasskey() {
  const newPerson = await person();
  const device = createAuthenticator();
  const response = device.create({ origin, challenge: await challengeIn(newPerson.session) });
  const { data, errors } = await newPerson.session.graph<{
    addPasskey: { recoveryCodes: string[] };
  }>(add, {
    response,
  });
  if (!data) throw new Error(JSON.stringify(errors));
  return { ...newPerson, device, recoveryCodes: data.addPasskey.recoveryCodes };
}
const challenge = async (cookie?: string) =>
  String(
    (await postJson(app, '/auth/passkey/options', {}, { origin, ...(cookie && { cookie }) })).body[
      'challenge'
    ],
  );
const show = (passkey: unknown, cookie?: string) =>
  postJson(app, '/auth/sign-in/passkey', { passkey }, { origin, ...(cookie && { cookie }) });

describe('a passkey', () => {
  it('Adding a passkey returns recovery codes and ends other sessions, and the passkey then signs in alone', async () => {
    const { id, session, device, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    const answer = await show(device.get({ origin, challenge: await challenge() }));
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: true },
    });
    expect((await sessionWith(app, cookieOf(answer)).graph(viewerQuery)).data).toEqual({
      viewer: { person: { id } },
    });
    const { data } = await session.graph<PasskeyListResult>(list);
    expect(data?.secondFactor).toMatchObject({
      passkeys: [{ name: 'Laptop', lastUsedAt: expect.any(String) }],
      recoveryCodesLeft: 10,
    });
  });

  it('A passkey can be the second step after the password', async () => {
    const { id, email, device } = await withPasskey();
    const { answer, cookie, verify } = await firstStep(app, email);
    expect(answer.body).toEqual({ signedIn: false, secondFactor: true });
    expect((await secondStep(app, cookie, 'options')).body).toEqual({ app: false, passkey: true });
    const options = await postJson(app, '/auth/passkey/options', {}, { origin, cookie });
    expect(options.body).toMatchObject({
      rpId: 'atrium.test',
      userVerification: 'required',
      allowCredentials: [{ id: device.id, type: 'public-key' }],
    });
    const done = await show(
      device.get({ origin, challenge: String(options.body['challenge']) }),
      cookie,
    );
    expect((await sessionWith(app, cookieOf(done)).graph(viewerQuery)).data).toEqual({
      viewer: { person: { id } },
    });
    expect((await verify('123456')).body['reason']).toBe('SIGN_IN_EXPIRED');
  });

  it('A passkey is rejected without user verification, for another site, with an old counter, or with a used challenge', async () => {
    const { device } = await withPasskey();
    const once = await challenge();
    expect((await show(device.get({ origin, challenge: once }))).status).toBe(200);
    const attempts = [
      device.get({ origin, challenge: once }),
      device.get({ origin, challenge: 'A'.repeat(43) }),
      device.get({ origin, challenge: await challenge() }, { userVerified: false }),
      device.get({ origin: 'http://evil.example', challenge: await challenge() }),
      device.get({ origin, challenge: await challenge() }, { rpId: 'evil.example' }),
      device.get({ origin, challenge: await challenge() }, { counter: 0 }),
      {
        ...createAuthenticator().get({ origin, challenge: await challenge() }),
        id: device.id,
        rawId: device.id,
      },
      createAuthenticator().get({ origin, challenge: await challenge() }),
    ];
    for (const attempt of attempts) {
      const refused = await show(attempt);
      expect(refused).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED', reason: 'PASSKEY_WRONG' },
      });
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    for (const attempt of [null, {}, { id: 'x' }, 'text'])
      expect((await show(attempt)).status).toBe(401);
  });

  it('A passkey is added only with user verification and a challenge that the same person got in the last five minutes', async () => {
    const [one, other] = [await person(), await person()];
    const device = createAuthenticator();
    const refused = async (response: unknown) =>
      (await one.session.graph(add, { response })).errors[0]?.extensions?.reason;
    expect(
      await refused(device.create({ origin, challenge: await challengeIn(other.session) })),
    ).toBe('PASSKEY_WRONG');
    expect(await refused(device.create({ origin, challenge: await challenge() }))).toBe(
      'PASSKEY_WRONG',
    );
    expect(
      await refused(
        device.create(
          { origin, challenge: await challengeIn(one.session) },
          { userVerified: false },
        ),
      ),
    ).toBe('PASSKEY_WRONG');
    const oldChallenge = await challengeIn(one.session);
    await app.database.prisma.verification.updateMany({
      where: { identifier: { startsWith: 'new-passkey' } },
      data: { expiresAt: new Date(0) },
    });
    expect(await refused(device.create({ origin, challenge: oldChallenge }))).toBe('PASSKEY_WRONG');
    for (const invalidResponse of [{}, { id: 'x' }])
      expect(await refused(invalidResponse)).toBe('PASSKEY_WRONG');
    expect(await app.database.prisma.passkey.count({ where: { userId: one.id } })).toBe(0);
  });

  it('Only its owner can rename and remove a passkey, and removing the last factor deletes the recovery codes', async () => {
    const { id, session, email } = await withPasskey();
    const stranger = await person();
    const passkey = (await session.graph<PasskeyListResult>(list)).data?.secondFactor.passkeys[0]
      ?.id;
    const rename =
      'mutation ($id: ID!) { renamePasskey(input: { id: $id, name: "Phone" }) { passkey { name } } }';
    const remove = 'mutation ($id: ID!) { removePasskey(input: { id: $id }) { removedPasskeyId } }';
    for (const query of [rename, remove])
      expect((await stranger.session.graph(query, { id: passkey })).code).toBe('NOT_FOUND');
    expect((await session.graph(rename, { id: passkey })).data).toEqual({
      renamePasskey: { passkey: { name: 'Phone' } },
    });
    expect((await session.graph(remove, { id: passkey })).data).toEqual({
      removePasskey: { removedPasskeyId: passkey },
    });
    expect((await session.graph(list)).data).toEqual({
      secondFactor: { passkeys: [], recoveryCodesLeft: 0 },
    });
    expect((await firstStep(app, email)).answer.body).toEqual({ signedIn: true });
    expect(
      await app.database.prisma.user.findUnique({
        where: { id },
        select: { secondFactorEnabled: true },
      }),
    ).toEqual({ secondFactorEnabled: false });
  });

  it('The second factor stays required if an authenticator app remains', async () => {
    const { id } = await person();
    const { session, email } = await enrollApp(app, id);
    const device = createAuthenticator();
    const { data } = await session.graph(add, {
      response: device.create({ origin, challenge: await challengeIn(session) }),
    });
    expect(data).toEqual({ addPasskey: { recoveryCodes: [] } });
    expect(
      (
        await session.graph(
          'mutation { removeAuthenticatorApp(input: {}) { secondFactor { authenticatorAppSince } } }',
        )
      ).errors,
    ).toEqual([]);
    expect((await firstStep(app, email)).answer.body).toEqual({
      signedIn: false,
      secondFactor: true,
    });
  });
});
