import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../access/context.ts';
import { cookieName } from '../../../http/cookies.ts';
import type { Clock } from '../../../platform/clock.ts';

declare module '../../../access/context.ts' {
  interface Services {
    sponsoredCookies: SponsoredCookies;
  }
}

type CookieRequest = Pick<Context, 'clientInfo' | 'origin'> & { token: string };

/**
 * A cookie of one link. The value is null if the browser sent no cookie, or one that this server
 * did not seal or that has expired.
 */
type LinkCookie = {
  value: string | null;
  set(value: string, expiresAt: Date): void;
  clear(): void;
};
type SponsoredCookies = (request: CookieRequest) => {
  grant: LinkCookie;
  reservation: LinkCookie;
  /** Says that the browser has opened the link, for half an hour. */
  opened: LinkCookie;
};

/**
 * Creates the cookies of sponsored links. Only GraphQL reads them; they are HttpOnly. Each link has
 * its own cookies, so that two tabs with different links do not interfere.
 */
export function createSponsoredCookies({
  secret,
  clock,
}: {
  secret: string;
  clock: Clock;
}): SponsoredCookies {
  const key = createHmac('sha256', secret).update('cookies of sponsored links').digest();
  const seal = (name: string, content: string) =>
    createHmac('sha256', key).update(`${name}=${content}`).digest('base64url');

  function openSeal(name: string, cookie: string): string | null {
    const [value = '', expiresAt = '', receivedSeal = ''] = cookie.split('.');
    const expected = Buffer.from(seal(name, `${value}.${expiresAt}`));
    const received = Buffer.from(receivedSeal);
    const isOurs = received.length === expected.length && timingSafeEqual(received, expected);
    return isOurs && Number(expiresAt) > clock().getTime() ? value : null;
  }

  return ({ token, clientInfo, origin }) => {
    const link = hash('sha256', token, 'base64url').slice(0, 22);
    const isHttps = origin.startsWith('https:');
    const attributes = isHttps
      ? 'Path=/; HttpOnly; SameSite=Lax; Secure'
      : 'Path=/graphql; HttpOnly; SameSite=Lax';
    const linkCookie = (plainName: string): LinkCookie => {
      const name = cookieName(plainName, isHttps);
      const cookie = clientInfo.cookie(name);
      return {
        value: cookie === undefined ? null : openSeal(name, cookie),
        set(value, expiresAt) {
          const content = `${value}.${expiresAt.getTime()}`;
          const seconds = Math.ceil((expiresAt.getTime() - clock().getTime()) / 1000);
          clientInfo.setCookie(
            `${name}=${content}.${seal(name, content)}; Max-Age=${seconds}; ${attributes}`,
          );
        },
        clear() {
          if (cookie !== undefined) clientInfo.setCookie(`${name}=; Max-Age=0; ${attributes}`);
        },
      };
    };
    return {
      grant: linkCookie(`atrium-grant-${link}`),
      reservation: linkCookie(`atrium-place-${link}`),
      opened: linkCookie(`atrium-opened-${link}`),
    };
  };
}
