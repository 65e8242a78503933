import { afterAll, describe, expect, it } from 'vitest';
import { createClientAddress } from '../../../../src/http/client-address.ts';
import { createAuth } from '../../../../src/modules/accounts/auth.ts';
import { createAuthHandler } from '../../../../src/modules/accounts/auth-handler.ts';
import { createSecretCipher } from '../../../../src/modules/accounts/second-factor/secret-cipher.ts';
import { readSignInOptions } from '../../../../src/modules/accounts/sign-in/sign-in-options.ts';
import { readEnv } from '../../../../src/platform/env.ts';
import { createLimits } from '../../../../src/platform/limits.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { createMailer } from '../../../../src/platform/mail/mail.ts';
import { testDatabase } from '../../../support/database.ts';

const database = await testDatabase();
afterAll(() => database.close());

type RequestOrigin = {
  clientAddress: string;
  forwardedFor?: string;
  more?: Record<string, string>;
  call?: string;
};

/** Sends requests to the cheapest of the counted paths from an address. */
async function createSender(settings: Record<string, string> = {}) {
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
  return async ({ clientAddress, forwardedFor, more = {}, call = 'sign-out' }: RequestOrigin) => {
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

const sixtyTimes = (send: (index: number) => Promise<Response>) =>
  Promise.all(Array.from({ length: 60 }, (_, index) => send(index)));

describe('the rate limit of a network address', () => {
  it('An address can send sixty requests per minute, and the next one is told when to retry', async () => {
    const send = await createSender();
    const accepted = await sixtyTimes(() => send({ clientAddress: '192.0.2.1' }));
    expect(accepted.every(({ status }) => status === 200)).toBe(true);
    const rejected = await send({ clientAddress: '192.0.2.1' });
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send({ clientAddress: '192.0.2.2' })).status).toBe(200);
  });

  it('A client cannot avoid the limit by claiming another address in a header', async () => {
    const send = await createSender();
    const sendWithClaim = (address: string) =>
      send({
        clientAddress: '192.0.2.1',
        forwardedFor: address,
        more: { 'x-atrium-client': address, 'x-real-ip': address },
      });
    await sixtyTimes((index) => sendWithClaim(`198.51.100.${index}`));
    expect((await sendWithClaim('198.51.100.99')).status).toBe(429);
  });

  it('The clients of a trusted proxy are counted separately, by the addresses that the proxy has seen', async () => {
    const send = await createSender({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const sendBehindProxy = (address: string) =>
      send({ clientAddress: '10.1.2.3', forwardedFor: `203.0.113.7, ${address}, 10.9.9.9` });
    await sixtyTimes(() => sendBehindProxy('198.51.100.1'));
    expect((await sendBehindProxy('198.51.100.1')).status).toBe(429);
    expect((await sendBehindProxy('198.51.100.2')).status).toBe(200);
  });

  it.each([
    ['sign-up/email', 60],
    ['sign-in/provider', 60],
    ['reset-password', 60],
    ['verify-email', 60],
    ['request-password-reset', 20],
    ['send-verification-email', 20],
  ])('The path %s has a separate limit of %i requests', async (call, max) => {
    const send = await createSender();
    const statuses = await Promise.all(
      Array.from(
        { length: max + 1 },
        async () => (await send({ clientAddress: '192.0.2.1', call })).status,
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await send({ clientAddress: '192.0.2.2', call })).status).toBe(400);
    expect((await send({ clientAddress: '192.0.2.1' })).status).toBe(200);
  });
});
