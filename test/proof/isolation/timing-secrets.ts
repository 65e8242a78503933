import { setTimeout as pause } from 'node:timers/promises';
import { createAccount } from '../../../src/modules/accounts/create-account.ts';
import { hashPassword } from '../../../src/modules/accounts/password.ts';
import { checksum } from '../../../src/modules/api-keys/key-format.ts';
import { randomBase62 } from '../../../src/platform/base62.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import type { TestApp } from '../../support/app.ts';
import { operationFor, rootFields } from '../../support/whole-schema.ts';
import { type Asked, graphRequest } from './places.ts';
import { nobody, type Tenant } from './tenants.ts';
import type { Group } from './timing-samples.ts';
import { sent } from './walk.ts';

/**
 * A secret that somebody tries. `theirs` is close to one that there is, or was one once; `unknown`
 * is nothing.
 */
export type Secret = {
  where: string;
  rounds: (rounds: number) => number;
  /** Done before each try, and not measured. */
  prepare?: () => Promise<void>;
  ask(group: Group, round: number): Promise<void>;
};

const accounts = 60;
// From one network twenty mails a minute can be asked for, and a hundred an hour. Another
// application counts anew.
const askedOfOneApp = 18;

export async function secretsOf(
  app: TestApp,
  { callers, linkToken, invitationToken }: Tenant,
  revokedKey: string,
): Promise<Secret[]> {
  const ask = async (asked: Asked, expected: number, of: Pick<TestApp, 'fetch'> = app) => {
    const { status, text } = await sent(
      { ...app, fetch: of.fetch },
      { name: 'nobody', headers: nobody },
      asked,
    );
    if (status !== expected)
      throw new Error(`${asked.path} answered ${status} instead of ${expected}: ${text}`);
  };
  const withKey = (key: string): Asked => ({
    method: 'GET',
    path: '/api/user-management/v1/users',
    headers: { authorization: `Bearer ${key}` },
  });
  const theirKey = callers[0]?.headers['authorization']?.slice('Bearer '.length) ?? '';
  const field = (name: string) =>
    rootFields
      .filter((root) => root.name === name)
      .map((root) => ({ root, query: operationFor(root) }))[0];
  const withToken = (name: string, token: string): Asked => {
    const asked = field(name);
    if (!asked) throw new Error(`there is no ${name}`);
    return graphRequest(asked.root, asked.query, { token });
  };
  // As long as another one of its kind, and like theirs but for the end.
  const nearTo = (secret: string, group: Group) =>
    group === 'theirs' ? secret.slice(0, -4) + randomBase62(4) : randomBase62(secret.length);
  const nearKey = (group: Group) => {
    const body = theirKey.slice('sk_svc_um_'.length, -6);
    const text = `sk_svc_um_${nearTo(body, group)}`;
    return text + checksum(text);
  };
  const usual = (rounds: number) => rounds;

  await peopleIn(app);
  const post = (path: string, body: object): Asked => ({
    ...{
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', origin: 'http://atrium.test' },
    },
    body: JSON.stringify(body),
  });
  const addressOf = (group: Group, round: number) =>
    group === 'theirs'
      ? `there${round % accounts}@people.example`
      : `${group}${round % accounts}@people.example`;
  const password = 'not the password of anybody';
  const twins: TestApp[] = [];
  const limited = (path: string, status: number, more: object): Secret => {
    let asked = 0;
    return {
      where: `POST ${path}`,
      rounds: (rounds) => Math.ceil(rounds / 8),
      async prepare() {
        const index = Math.floor(asked / askedOfOneApp);
        twins[index] ??= (await app.twin()) as TestApp;
        asked += 1;
        // What goes on after an answer shall not lie in the next one's time.
        await pause(5);
      },
      ask: (group, round) =>
        ask(
          post(path, { email: addressOf(group, round), ...more }),
          status,
          twins[Math.floor((asked - 1) / askedOfOneApp)],
        ),
    };
  };

  return [
    {
      where: 'a key like one of theirs',
      rounds: usual,
      ask: (group) => ask(withKey(nearKey(group)), 401),
    },
    {
      where: 'a key that was revoked',
      rounds: usual,
      ask: (group) => ask(withKey(group === 'theirs' ? revokedKey : nearKey('unknown')), 401),
    },
    {
      where: 'the token of a link',
      rounds: usual,
      ask: (group) => ask(withToken('sponsoredOffer', nearTo(linkToken, group)), 200),
    },
    {
      where: 'the token of an invitation',
      rounds: usual,
      ask: (group) => ask(withToken('invitation', nearTo(invitationToken, group)), 200),
    },
    limited('/auth/sign-in/email', 401, { password }),
    limited('/auth/request-password-reset', 200, {}),
    limited('/auth/send-verification-email', 200, {}),
    limited('/auth/sign-up/email', 200, { password, firstName: 'A' }),
  ];
}

/** People with a password, whose addresses are not confirmed. */
async function peopleIn({ database }: TestApp): Promise<void> {
  const passwordHash = await hashPassword('the password of these people');
  for (let index = 0; index < accounts; index += 1) {
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
