import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
  otherOrganization = await app.organization();
  for (let index = 0; index < 32; index += 1)
    await otherOrganization.member(`known${index}@probe.example`);
});
afterAll(() => app.close());

const knownAddresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `known${index}@probe.example`);
const unknownAddresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `unknown${index}@probe.example`);
const add = (owner: TestOrganization) => (email: string) =>
  owner.manage('POST', '/users/add', { email });
const create = (owner: TestOrganization) => (email: string) =>
  owner.manage('POST', '/users', { email });
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();
const repeat = (count: number, status: number) => Array<number>(count).fill(status);

describe('POST /users/add', () => {
  it('POST /users/add reveals the accounts of 30 addresses an hour, even with concurrent requests, and then answers 429 with Retry-After', async () => {
    const owner = await app.organization();
    const answers = await Promise.all(
      [...knownAddresses(16), ...unknownAddresses(20)].map(add(owner)),
    );
    const revealed = answers.filter(({ status }) => status === 200 || status === 404);
    expect(revealed).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(6);
    const wait = Number(refused[0]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(60);
    expect(wait).toBeLessThanOrEqual(3_600);
    // The refusal is the same for addresses with and without an account.
    expect(
      statuses([
        await add(owner)('known31@probe.example'),
        await add(owner)('unknown31@probe.example'),
      ]),
    ).toEqual([429, 429]);
    const { errors } = await app.graph(
      owner.key,
      'mutation { addUser(input: { email: "known31@probe.example" }) { user { id } } }',
    );
    expect(errors).toMatchObject([
      { extensions: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) } },
    ]);
  });

  it('Members do not count for the limit, and an address counts once', async () => {
    const owner = await app.organization();
    await owner.member('member@probe.example');
    for (let index = 0; index < 40; index += 1) {
      expect((await add(owner)('member@probe.example')).status).toBe(409);
      expect((await add(owner)('unknown0@probe.example')).status).toBe(404);
    }
    expect(statuses(await Promise.all(unknownAddresses(30).map(add(owner))))).toEqual(
      repeat(30, 404),
    );
    expect((await add(owner)('member@probe.example')).status).toBe(409);
  });
});

describe('POST /users', () => {
  it('POST /users creates any number of new accounts, before and after 30 addresses were looked up', async () => {
    const owner = await app.organization();
    expect(statuses(await Promise.all(unknownAddresses(31).map(add(owner))))).toEqual([
      ...repeat(30, 404),
      429,
    ]);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => create(owner)(`new${index}@${owner.slug}.example`)),
    );
    expect(answers.every(({ status, body }) => status === 200 && body['isNewUser'] === true)).toBe(
      true,
    );
  });

  it('POST /users adds 30 existing accounts an hour, and then refuses every address', async () => {
    const owner = await app.organization();
    expect(statuses(await Promise.all(knownAddresses(32).map(create(owner))))).toEqual([
      ...repeat(30, 200),
      429,
      429,
    ]);
    const refused = await create(owner)(`new@${owner.slug}.example`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(
      await app.database.prisma.user.count({ where: { email: `new@${owner.slug}.example` } }),
    ).toBe(0);
  });
});

describe('an invitation’s link', () => {
  it('Invitation links reveal for 30 addresses an hour whether they have an account, and still work above that', async () => {
    const owner = await app.organization();
    const administrator = await signIn(app, owner.administratorId);
    const offers: unknown[] = [];
    for (const email of unknownAddresses(31)) {
      const invited = await administrator.graph<{ inviteMember: { link: string } }>(
        `mutation { inviteMember(input: { email: "${email}", role: MEMBER }) { link } }`,
      );
      const token = new URL(invited.data?.inviteMember.link ?? '').searchParams.get('invitation');
      const { data } = await app.graph(
        otherOrganization.key,
        `{ invitation(token: "${token}") { email needsAccount } }`,
      );
      offers.push(data?.['invitation']);
    }
    expect(offers.slice(0, 30)).toEqual(
      unknownAddresses(30).map((email) => ({ email, needsAccount: true })),
    );
    expect(offers[30]).toEqual({ email: 'unknown30@probe.example', needsAccount: false });
  });
});
