import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { clientHeader } from '../../../../src/modules/accounts/client-header.ts';
import { countRequestedMail } from '../../../../src/modules/accounts/emails/mail-rate-limit.ts';
import { createKnownDevices } from '../../../../src/modules/accounts/sign-in/known-device.ts';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';

const devices = createKnownDevices({
  secret: 'a secret of thirty-two characters',
  clock: () => new Date(),
  isHttps: false,
});
let app: TestApp;
let owner: TestOrganization;
let personCount = 0;
let email: string;

beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
});
afterAll(() => app.close());
beforeEach(() => {
  personCount += 1;
  email = `person-${personCount}@allowance.example`;
});

const ask = (to: string, address: string, cookie = '') => {
  const { limits, database, clock } = app.contextParts;
  const request = new Request('http://atrium.test', {
    headers: { [clientHeader]: address, cookie },
  });
  return countRequestedMail(to, request, { limits, database, clock, devices }).then(
    () => 'taken',
    ({ code }) => code,
  );
};
const many = (count: number, one: (index: number) => Promise<string>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const cookieFor = (to: string) => {
  const { name, value } = devices.cookieFor(to, undefined);
  return `${name}=${value}`;
};

it('A network can request five mails per hour to one address', async () => {
  expect(await many(7, () => ask(email, '192.0.2.1'))).toEqual([
    ...Array(5).fill('taken'),
    'RATE_LIMITED',
    'RATE_LIMITED',
  ]);
  expect(await ask(email, '192.0.2.2')).toBe('taken');
});

it('A network can request a hundred mails per hour in total', async () => {
  const answers = await many(101, (index) =>
    ask(`person-${index}@many.example`, `2001:db8:1:2::${index.toString(16)}`),
  );
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(100);
  expect(await ask('somebody@many.example', '2001:db8:1:3::1')).toBe('taken');
});

it('A mailbox gets at most twenty mails per hour that strangers request, from any number of networks', async () => {
  const answers = await many(60, (index) => ask(email, `198.51.100.${index}`));
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(20);
});

it('Strangers cannot use up the mails of a browser that signed in to the account before', async () => {
  await many(60, (index) => ask(email, `198.51.100.${index}`));
  const cookie = cookieFor(email);
  expect(await many(6, () => ask(email, '203.0.113.1', cookie))).toEqual([
    ...Array(5).fill('taken'),
    'RATE_LIMITED',
  ]);
  expect(await ask(email, '203.0.113.2', cookieFor('somebody-else@allowance.example'))).toBe(
    'RATE_LIMITED',
  );
});

it('Strangers cannot use up the mails of a network in which the account is signed in', async () => {
  const { id } = await owner.member(email);
  await app.database.prisma.session.create({
    data: {
      id: `session-${personCount}`,
      userId: id,
      token: `token-${personCount}`,
      expiresAt: new Date(Date.now() + 60_000),
      ipAddress: '203.0.113.9',
    },
  });
  await many(60, (index) => ask(email, `198.51.100.${index}`));
  expect(await ask(email, '203.0.113.9')).toBe('taken');
  expect(await ask(email, '203.0.113.10')).toBe('RATE_LIMITED');
});
