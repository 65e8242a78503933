import { randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';
import { hashText } from '../../platform/hash.ts';

const wellFormed = /^[\w-]{43}$/;
const daySeconds = 86_400;

const cookieOf = (ctx: GenericEndpointContext) =>
  ctx.context.createAuthCookie('browser', { maxAge: daySeconds });
const hashNonce = (nonce: string): string => Buffer.from(hashText(nonce)).toString('base64url');

/**
 * Gives the browser a random value in a cookie, or renews the one that it has, and returns its
 * hash. A link that stores the hash recognises the browser that asked for it, which is how it tells
 * the person who chose a password from a stranger.
 */
export function giveNonce(ctx: GenericEndpointContext): string {
  const { name, attributes } = cookieOf(ctx);
  const present = ctx.getCookie(name);
  const nonce =
    present && wellFormed.test(present) ? present : randomBytes(32).toString('base64url');
  ctx.setCookie(name, nonce, attributes);
  return hashNonce(nonce);
}

/** The hash of the value that the request's browser holds. */
export function nonceHashOf(ctx: GenericEndpointContext): string | undefined {
  const nonce = ctx.getCookie(cookieOf(ctx).name);
  return nonce ? hashNonce(nonce) : undefined;
}
