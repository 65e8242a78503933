import { afterAll, describe, expect, it } from 'vitest';
import { createAuth } from '../../../src/modules/accounts/auth.ts';
import { createAuthHandler } from '../../../src/modules/accounts/auth-handler.ts';
import { createSecretCipher } from '../../../src/modules/accounts/second-factor/secret-cipher.ts';
import { readSignInOptions } from '../../../src/modules/accounts/sign-in-options.ts';
import { createClientAddress } from '../../../src/platform/client-address.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { createLimits } from '../../../src/platform/limits.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createMailer } from '../../../src/platform/mail/mail.ts';
import { testDatabase } from '../../support/database.ts';

const database = await testDatabase();
afterAll(() => database.close());

type From = {
  clientAddress: string;
  forwardedFor?: string;
  more?: Record<string, string>;
  call?: string;
};

/** Asks for the cheapest of the counted paths, from somewhere. */
async function asking(settings: Record<string, string> = {}) {
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...settings });
  const log = createLog(env);
  const limits = await createLimits({ log });
  const clientAddressOf = createClientAddress(env.TRUSTED_PROXIES);
  const options = readSignInOptions(env);
  const originOf = (request: Request) => new URL(request.url).origin;
  const parts = {
    ...{
      database,
      limits,
      clock: () => new Date(),
      log,
      mail: await createMailer({ env, log }),
      options,
      originOf,
    },
    ...{ secretCipher: createSecretCipher('x'.repeat(32)), credentialsChanged: () => undefined },
  };
  const handler = createAuthHandler({
    auth: createAuth({ env, secret: 'x'.repeat(32), ...parts }),
    options,
    env,
    clientAddressOf,
    log,
  });
  return async ({ clientAddress, forwardedFor, more = {}, call = 'sign-out' }: From) => {
    const url = new URL(`http://atrium.test/auth/${call}`);
    const headers = { ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}), ...more };
    const requestContext = {
      requestId: 'none',
      method: 'POST',
      url,
      pathname: url.pathname,
      query: url.searchParams,
      headers: {},
      operation: 'none',
      clientAddress,
    };
    return handler(new Request(url, { method: 'POST', headers }), requestContext);
  };
}

const sixtyTimes = (ask: (index: number) => Promise<Response>) =>
  Promise.all(Array.from({ length: 60 }, (_, index) => ask(index)));

describe('the limit for a network address', () => {
  it('lets sixty requests a minute pass, and says when to come back', async () => {
    const ask = await asking();
    const passed = await sixtyTimes(() => ask({ clientAddress: '192.0.2.1' }));
    expect(passed.every(({ status }) => status === 200)).toBe(true);
    const refused = await ask({ clientAddress: '192.0.2.1' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask({ clientAddress: '192.0.2.2' })).status).toBe(200);
  });

  it('can not be got round by claiming to come from elsewhere', async () => {
    const ask = await asking();
    const claiming = (address: string) =>
      ask({
        clientAddress: '192.0.2.1',
        forwardedFor: address,
        more: { 'x-atrium-client': address, 'x-real-ip': address },
      });
    await sixtyTimes((index) => claiming(`198.51.100.${index}`));
    expect((await claiming('198.51.100.99')).status).toBe(429);
  });

  it('counts each client of a proxy that the settings trust, by what that proxy has seen', async () => {
    const ask = await asking({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const behind = (address: string) =>
      ask({ clientAddress: '10.1.2.3', forwardedFor: `203.0.113.7, ${address}, 10.9.9.9` });
    await sixtyTimes(() => behind('198.51.100.1'));
    expect((await behind('198.51.100.1')).status).toBe(429);
    expect((await behind('198.51.100.2')).status).toBe(200);
  });

  it.each([
    ['sign-up/email', 60],
    ['sign-in/provider', 60],
    ['reset-password', 60],
    ['verify-email', 60],
    ['request-password-reset', 20],
    ['send-verification-email', 20],
  ])('counts %s by itself, up to %i', async (call, max) => {
    const ask = await asking();
    const statuses = await Promise.all(
      Array.from(
        { length: max + 1 },
        async () => (await ask({ clientAddress: '192.0.2.1', call })).status,
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await ask({ clientAddress: '192.0.2.2', call })).status).toBe(400);
    expect((await ask({ clientAddress: '192.0.2.1' })).status).toBe(200);
  });
});
