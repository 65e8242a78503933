import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../graph/context.ts';
import type { Clock } from '../../platform/clock.ts';
import { cookieName } from '../../platform/cookies.ts';

declare module '../../graph/context.ts' {
  interface Services {
    sponsoredCookies: SponsoredCookies;
  }
}

type CookieRequest = Pick<Context, 'clientInfo' | 'origin'> & { token: string };

/**
 * What a visitor's browser keeps of one link. Null where it keeps nothing, or nothing that we have
 * given and that still holds.
 */
type KeptCookie = {
  value: string | null;
  keep(value: string, expiresAt: Date): void;
  drop(): void;
};
type SponsoredCookies = (visit: CookieRequest) => { grant: KeptCookie; place: KeptCookie };

/**
 * Only the graph reads them, and no script does. A cookie for each link, so that two tabs do not
 * get into each other's way.
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

  function valueIn(name: string, cookie: string): string | null {
    const [value = '', expiresAt = '', given = ''] = cookie.split('.');
    const expected = Buffer.from(seal(name, `${value}.${expiresAt}`));
    const sealed = Buffer.from(given);
    const isOurs = sealed.length === expected.length && timingSafeEqual(sealed, expected);
    return isOurs && Number(expiresAt) > clock().getTime() ? value : null;
  }

  return ({ token, clientInfo, origin }) => {
    const link = hash('sha256', token, 'base64url').slice(0, 22);
    const isHttps = origin.startsWith('https:');
    const attributes = isHttps
      ? 'Path=/; HttpOnly; SameSite=Lax; Secure'
      : 'Path=/graphql; HttpOnly; SameSite=Lax';
    const kept = (plainName: string): KeptCookie => {
      const name = cookieName(plainName, isHttps);
      const cookie = clientInfo.cookie(name);
      return {
        value: cookie === undefined ? null : valueIn(name, cookie),
        keep(value, expiresAt) {
          const content = `${value}.${expiresAt.getTime()}`;
          const seconds = Math.ceil((expiresAt.getTime() - clock().getTime()) / 1000);
          clientInfo.setCookie(
            `${name}=${content}.${seal(name, content)}; Max-Age=${seconds}; ${attributes}`,
          );
        },
        drop() {
          if (cookie !== undefined) clientInfo.setCookie(`${name}=; Max-Age=0; ${attributes}`);
        },
      };
    };
    return { grant: kept(`atrium-grant-${link}`), place: kept(`atrium-place-${link}`) };
  };
}
