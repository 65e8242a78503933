import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { cookieIn, cookieName } from '../../../http/cookies.ts';
import { randomBase62 } from '../../../platform/base62.ts';
import type { Clock } from '../../../platform/clock.ts';

type DeviceCookie = { name: string; value: string; maxAge: number };

/**
 * Recognizes a browser that signed in to an account before, by a signed cookie for that account.
 */
export type KnownDevices = {
  /** Returns the id of the device if the request has a valid cookie for this address. */
  deviceIdOf(email: string, headers: Headers): string | undefined;
  /** The cookie for a browser that has just signed in. A known device keeps its id. */
  cookieFor(email: string, headers: Headers | undefined): DeviceCookie;
};

const validSeconds = 180 * 86_400;

type KnownDeviceDependencies = { secret: string; clock: Clock; isHttps: boolean };

export function createKnownDevices({
  secret,
  clock,
  isHttps,
}: KnownDeviceDependencies): KnownDevices {
  const key = createHmac('sha256', secret).update('cookies of known devices').digest();
  const sign = (email: string, content: string) =>
    createHmac('sha256', key).update(`${email}\n${content}`).digest('base64url');
  // Each account has its own cookie, so that two people can share a browser. The name contains a
  // hash, so it does not reveal the address.
  const nameFor = (email: string) =>
    cookieName(`atrium-device-${hash('sha256', email, 'base64url').slice(0, 16)}`, isHttps);

  function deviceIdOf(email: string, headers: Headers): string | undefined {
    const [id = '', expiresAt = '', sentSignature = ''] = (
      cookieIn(headers.get('cookie'), nameFor(email)) ?? ''
    ).split('.');
    const expected = Buffer.from(sign(email, `${id}.${expiresAt}`));
    const actual = Buffer.from(sentSignature);
    const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected);
    return isOurs && Number(expiresAt) > clock().getTime() ? id : undefined;
  }

  return {
    deviceIdOf,
    cookieFor(email, headers) {
      const id = (headers && deviceIdOf(email, headers)) ?? randomBase62(22);
      const content = `${id}.${clock().getTime() + validSeconds * 1000}`;
      return {
        name: nameFor(email),
        value: `${content}.${sign(email, content)}`,
        maxAge: validSeconds,
      };
    },
  };
}
