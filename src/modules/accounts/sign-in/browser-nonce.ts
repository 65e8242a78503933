import { randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';
import { hashText } from '../../../platform/hash.ts';

const nonceForm = /^[\w-]{43}$/;
const daySeconds = 86_400;

const cookieOf = (ctx: GenericEndpointContext) =>
  ctx.context.createAuthCookie('browser', { maxAge: daySeconds });
const hashNonce = (nonce: string): string => Buffer.from(hashText(nonce)).toString('base64url');

/**
 * Sets a cookie with a random value in the browser, or renews the cookie that the browser has, and
 * returns the hash of the value. A link that stores the hash recognizes the browser in which it was
 * requested, and so distinguishes the person who chose the password from a stranger.
 */
export function setBrowserNonce(ctx: GenericEndpointContext): string {
  const { name, attributes } = cookieOf(ctx);
  const currentNonce = ctx.getCookie(name);
  const nonce =
    currentNonce && nonceForm.test(currentNonce)
      ? currentNonce
      : randomBytes(32).toString('base64url');
  ctx.setCookie(name, nonce, attributes);
  return hashNonce(nonce);
}

/** Returns the hash of the value in the request's cookie. */
export function readNonceHash(ctx: GenericEndpointContext): string | undefined {
  const nonce = ctx.getCookie(cookieOf(ctx).name);
  return nonce ? hashNonce(nonce) : undefined;
}
