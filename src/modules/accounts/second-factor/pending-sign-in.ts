import type { GenericEndpointContext } from 'better-auth';
import { APIError } from 'better-auth/api';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import type { AccountServices } from '../account-services.ts';
import { consumeSecret, issueSecret, readSecret } from '../secret-link.ts';

const pendingSignIn = z.object({ userId: z.string(), forgetful: z.boolean() });

/**
 * The error code that tells a page to show the second step. The provider's callback appends it to
 * the URL of the page.
 */
export const secondFactorNeededCode = 'SECOND_FACTOR_NEEDED';

type PendingSignInServices = Pick<AccountServices, 'database' | 'clock'>;

const cookieMaxAgeSeconds = 600;
const cookieFor = ({ context }: GenericEndpointContext) =>
  context.createAuthCookie('second_factor', { maxAge: cookieMaxAgeSeconds });

/**
 * Stores that a person has passed the first step in this browser, and identifies the browser by a
 * cookie. The cookie is valid only for the second step: there is no session before it.
 */
export async function beginSecondStep(
  ctx: GenericEndpointContext,
  userId: string,
  { database, clock }: PendingSignInServices,
): Promise<void> {
  const endsWithBrowser = Object(ctx.body)['rememberMe'] === false;
  const secret = await issueSecret(
    'second-factor',
    { userId, forgetful: endsWithBrowser },
    clock(),
    database,
  );
  const cookie = cookieFor(ctx);
  await ctx.setSignedCookie(cookie.name, secret, ctx.context.secret, cookie.attributes);
}

/** The error that stops better-auth's calls when a session needs a second factor first. */
export const needsSecondFactor = () =>
  new APIError('FORBIDDEN', {
    code: secondFactorNeededCode,
    message: 'Please show your second factor',
  });

/**
 * Returns the sign-in in this browser that waits for the second step. `finish` ends it; if several
 * requests call it, only the first succeeds.
 */
export async function readPendingSignIn(
  ctx: GenericEndpointContext,
  { database, clock }: PendingSignInServices,
) {
  const cookie = cookieFor(ctx);
  const secret = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  const stored = secret ? await readSecret('second-factor', secret, clock(), database) : undefined;
  if (!secret || stored === undefined) return undefined;
  const finish = async () => {
    if (!(await consumeSecret('second-factor', secret, database))) throw signInExpired();
    ctx.setCookie(cookie.name, '', { ...cookie.attributes, maxAge: 0 });
  };
  const { userId, forgetful: endsWithBrowser } = pendingSignIn.parse(JSON.parse(stored));
  return { userId, endsWithBrowser, finish };
}

export const signInExpired = () =>
  new AppError(
    'UNAUTHENTICATED',
    'This sign-in took too long or is finished. Please sign in again',
    'SIGN_IN_EXPIRED',
  );
