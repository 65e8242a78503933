import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../../platform/base62.ts';
import type { Clock } from '../../platform/clock.ts';
import { cookieIn, cookieName } from '../../platform/cookies.ts';

type DeviceCookie = { name: string; value: string; maxAge: number };

/**
 * Tells a browser that signed in to an account before from any other: by a signed cookie for that
 * account.
 */
export type KnownDevices = {
  /** The id of the device where the request's cookie names it for this address. */
  deviceOf(email: string, headers: Headers): string | undefined;
  /** What a browser gets that has just signed in. It keeps the id that it has. */
  cookieFor(email: string, headers: Headers | undefined): DeviceCookie;
};

const validSeconds = 180 * 86_400;

type Parts = { secret: string; clock: Clock; isHttps: boolean };

export function createKnownDevices({ secret, clock, isHttps }: Parts): KnownDevices {
  const key = createHmac('sha256', secret).update('cookies of known devices').digest();
  const seal = (email: string, content: string) =>
    createHmac('sha256', key).update(`${email}\n${content}`).digest('base64url');
  // One cookie for each account, so that two people can share a browser; the name does not show the
  // address.
  const nameFor = (email: string) =>
    cookieName(`atrium-device-${hash('sha256', email, 'base64url').slice(0, 16)}`, isHttps);

  function deviceOf(email: string, headers: Headers): string | undefined {
    const [id = '', expiresAt = '', given = ''] = (
      cookieIn(headers.get('cookie'), nameFor(email)) ?? ''
    ).split('.');
    const expected = Buffer.from(seal(email, `${id}.${expiresAt}`));
    const sealed = Buffer.from(given);
    const isOurs = sealed.length === expected.length && timingSafeEqual(sealed, expected);
    return isOurs && Number(expiresAt) > clock().getTime() ? id : undefined;
  }

  return {
    deviceOf,
    cookieFor(email, headers) {
      const id = (headers && deviceOf(email, headers)) ?? randomBase62(22);
      const content = `${id}.${clock().getTime() + validSeconds * 1000}`;
      return {
        name: nameFor(email),
        value: `${content}.${seal(email, content)}`,
        maxAge: validSeconds,
      };
    },
  };
}
