import { setTimeout as pause } from 'node:timers/promises';
import { hashPassword } from '../../../src/modules/accounts/passwords/password.ts';
import { createAccount } from '../../../src/modules/accounts/sign-up/create-account.ts';
import { checksum } from '../../../src/modules/api-keys/key-format.ts';
import { randomBase62 } from '../../../src/platform/base62.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import type { TestApp } from '../../support/app.ts';
import { operationFor, rootFields } from '../../support/schema-operations.ts';
import { type ApiRequest, graphRequest } from './request-slots.ts';
import { noCredentials, type Tenant } from './tenants.ts';
import type { SampleGroup } from './timing-samples.ts';
import { sendAs } from './try-slots.ts';

/**
 * A secret that an attacker guesses. In the group `existing` it is similar to a valid secret; in the
 * other groups it is random. A revoked or expired key is not among them: its answer says what it is.
 */
export type SecretProbe = {
  where: string;
  rounds: (rounds: number) => number;
  /** Runs before each request and is not measured. */
  prepare?: () => Promise<void>;
  send(group: SampleGroup, round: number): Promise<void>;
};

const accountCount = 60;
// One network can request twenty mails a minute and a hundred an hour. Each application counts
// separately, so the probe uses a new one after 18 requests.
const mailRequestsPerApp = 18;

export async function secretProbes(
  app: TestApp,
  { callers, linkToken, invitationToken }: Tenant,
): Promise<SecretProbe[]> {
  const sendExpecting = async (
    request: ApiRequest,
    expected: number,
    target: Pick<TestApp, 'fetch'> = app,
  ) => {
    const { status, text } = await sendAs(
      { ...app, fetch: target.fetch },
      { name: 'no credentials', headers: noCredentials },
      request,
    );
    if (status !== expected)
      throw new Error(`${request.path} answered ${status} instead of ${expected}: ${text}`);
  };
  const withKey = (key: string): ApiRequest => ({
    method: 'GET',
    path: '/api/user-management/v1/users',
    headers: { authorization: `Bearer ${key}` },
  });
  const existingKey = callers[0]?.headers['authorization']?.slice('Bearer '.length) ?? '';
  const rootField = (name: string) =>
    rootFields
      .filter((root) => root.name === name)
      .map((root) => ({ root, query: operationFor(root) }))[0];
  const withToken = (name: string, token: string): ApiRequest => {
    const operation = rootField(name);
    if (!operation) throw new Error(`there is no ${name}`);
    return graphRequest(operation.root, operation.query, { token });
  };
  // Secrets of the right length; in the group `existing` only the last four characters are wrong.
  const similarTo = (secret: string, group: SampleGroup) =>
    group === 'existing' ? secret.slice(0, -4) + randomBase62(4) : randomBase62(secret.length);
  const similarKey = (group: SampleGroup) => {
    const body = existingKey.slice('sk_svc_um_'.length, -6);
    const text = `sk_svc_um_${similarTo(body, group)}`;
    return text + checksum(text);
  };
  const allRounds = (rounds: number) => rounds;

  await createPeople(app);
  const post = (path: string, body: object): ApiRequest => ({
    ...{
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', origin: 'http://atrium.test' },
    },
    body: JSON.stringify(body),
  });
  const addressOf = (group: SampleGroup, round: number) =>
    group === 'existing'
      ? `there${round % accountCount}@people.example`
      : `${group}${round % accountCount}@people.example`;
  const password = 'not the password of anybody';
  const apps: TestApp[] = [];
  const rateLimitedProbe = (path: string, status: number, more: object): SecretProbe => {
    let requestCount = 0;
    return {
      where: `POST ${path}`,
      rounds: (rounds) => Math.ceil(rounds / 8),
      async prepare() {
        const index = Math.floor(requestCount / mailRequestsPerApp);
        apps[index] ??= (await app.twin()) as TestApp;
        requestCount += 1;
        // Work that continues after an answer must not slow down the next request.
        await pause(5);
      },
      send: (group, round) =>
        sendExpecting(
          post(path, { email: addressOf(group, round), ...more }),
          status,
          apps[Math.floor((requestCount - 1) / mailRequestsPerApp)],
        ),
    };
  };

  return [
    {
      where: 'a key similar to a valid one',
      rounds: allRounds,
      send: (group) => sendExpecting(withKey(similarKey(group)), 401),
    },
    {
      where: 'the token of a link',
      rounds: allRounds,
      send: (group) => sendExpecting(withToken('sponsoredOffer', similarTo(linkToken, group)), 200),
    },
    {
      where: 'the token of an invitation',
      rounds: allRounds,
      send: (group) =>
        sendExpecting(withToken('invitation', similarTo(invitationToken, group)), 200),
    },
    rateLimitedProbe('/auth/sign-in/email', 401, { password }),
    rateLimitedProbe('/auth/request-password-reset', 200, {}),
    rateLimitedProbe('/auth/send-verification-email', 200, {}),
    rateLimitedProbe('/auth/sign-up/email', 200, { password, firstName: 'A' }),
  ];
}

/** Creates people with a password and an unverified address. */
async function createPeople({ database }: TestApp): Promise<void> {
  const passwordHash = await hashPassword('the password of these people');
  for (let index = 0; index < accountCount; index += 1) {
    const person = {
      email: `there${index}@people.example`,
      firstName: 'A',
      lastName: 'Person',
      passwordHash,
      at: new Date(),
    };
    await inTransaction(database, (tx) => createAccount(person, tx));
  }
}
