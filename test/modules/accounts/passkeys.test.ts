import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { createAuthenticator } from '../../support/passkey.ts';
import { enrollApp, firstStep, secondStep } from '../../support/second-factor.ts';
import {
  cookieOf,
  givePassword,
  postJson,
  sessionWith,
  signIn,
  type TestSession,
} from '../../support/sign-in.ts';

const origin = 'http://atrium.test';
const who = '{ viewer { person { id } } }';
const add = 'mutation ($response: JSON!) { addPasskey(name: "Laptop", response: $response) }';
const list = '{ secondFactor { passkeys { id name lastUsedAt } recoveryCodesLeft } }';
type Listed = {
  secondFactor: {
    passkeys: { id: string; name: string; lastUsedAt: string | null }[];
    recoveryCodesLeft: number;
  };
};
let app: TestApp;
let owner: TestOrganization;
let made = 0;

beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
});
afterAll(() => app.close());

async function person() {
  made += 1;
  const { id } = await owner.member(`person-${made}@passkey.example`);
  return { id, session: await signIn(app, id), email: await givePassword(app, id) };
}
const challengeIn = async (session: TestSession) => {
  const { data } = await session.graph<{ startPasskey: { challenge: string } }>(
    'mutation { startPasskey }',
  );
  return data?.startPasskey.challenge ?? '';
};
async function withPasskey() {
  const found = await person();
  const device = createAuthenticator();
  const response = device.create({ origin, challenge: await challengeIn(found.session) });
  const { data, errors } = await found.session.graph<{ addPasskey: string[] }>(add, { response });
  if (!data) throw new Error(JSON.stringify(errors));
  return { ...found, device, recoveryCodes: data.addPasskey };
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
  it('is added with recovery codes, ends sessions from before, and signs in by itself', async () => {
    const { id, session, device, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    const answer = await show(device.get({ origin, challenge: await challenge() }));
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { signedIn: true },
    });
    expect((await sessionWith(app, cookieOf(answer)).graph(who)).data).toEqual({
      viewer: { person: { id } },
    });
    const { data } = await session.graph<Listed>(list);
    expect(data?.secondFactor).toMatchObject({
      passkeys: [{ name: 'Laptop', lastUsedAt: expect.any(String) }],
      recoveryCodesLeft: 10,
    });
  });

  it('is asked for after the password, and finishes that sign-in', async () => {
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
    expect((await sessionWith(app, cookieOf(done)).graph(who)).data).toEqual({
      viewer: { person: { id } },
    });
    expect((await verify('123456')).body['reason']).toBe('SIGN_IN_EXPIRED');
  });

  it('is refused without the owner’s finger or PIN, for another site, with an old counter, or with a challenge that is not new', async () => {
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

  it('is added only for a challenge that the same person got in the last five minutes, and with user verification', async () => {
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
    const late = await challengeIn(one.session);
    await app.database.prisma.verification.updateMany({
      where: { identifier: { startsWith: 'new-passkey' } },
      data: { expiresAt: new Date(0) },
    });
    expect(await refused(device.create({ origin, challenge: late }))).toBe('PASSKEY_WRONG');
    for (const nothing of [{}, { id: 'x' }]) expect(await refused(nothing)).toBe('PASSKEY_WRONG');
    expect(await app.database.prisma.passkey.count({ where: { userId: one.id } })).toBe(0);
  });

  it('is renamed and removed by its owner alone; the last factor that goes takes the recovery codes along', async () => {
    const { id, session, email } = await withPasskey();
    const stranger = await person();
    const passkey = (await session.graph<Listed>(list)).data?.secondFactor.passkeys[0]?.id;
    const rename = 'mutation ($id: ResourceId!) { renamePasskey(id: $id, name: "Phone") { name } }';
    const remove = 'mutation ($id: ResourceId!) { removePasskey(id: $id) }';
    for (const query of [rename, remove])
      expect((await stranger.session.graph(query, { id: passkey })).code).toBe('NOT_FOUND');
    expect((await session.graph(rename, { id: passkey })).data).toEqual({
      renamePasskey: { name: 'Phone' },
    });
    expect((await session.graph(remove, { id: passkey })).data).toEqual({ removePasskey: passkey });
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

  it('leaves the second factor required where an authenticator app remains', async () => {
    const { id } = await person();
    const { session, email } = await enrollApp(app, id);
    const device = createAuthenticator();
    const { data } = await session.graph(add, {
      response: device.create({ origin, challenge: await challengeIn(session) }),
    });
    expect(data).toEqual({ addPasskey: [] });
    expect((await session.graph('mutation { removeAuthenticatorApp }')).errors).toEqual([]);
    expect((await firstStep(app, email)).answer.body).toEqual({
      signedIn: false,
      secondFactor: true,
    });
  });
});
