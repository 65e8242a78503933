import type { GenericEndpointContext } from 'better-auth';
import { APIError } from 'better-auth/api';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import type { AccountServices } from '../account-services.ts';
import { issueSecret, readSecret, spendSecret } from '../secret-link.ts';

const pending = z.object({ userId: z.string(), forgetful: z.boolean() });

/**
 * The body's field that a page goes by, and what the provider's callback adds to the address of the
 * page.
 */
export const secondFactorNeeded = 'SECOND_FACTOR_NEEDED';

type Services = Pick<AccountServices, 'database' | 'clock'>;

const cookieMaxAgeSeconds = 600;
const cookieFor = ({ context }: GenericEndpointContext) =>
  context.createAuthCookie('second_factor', { maxAge: cookieMaxAgeSeconds });

/**
 * Remembers, bound to this browser by a cookie, that a person has shown the first factor. The
 * cookie opens nothing but the second step: no session exists before that.
 */
export async function beginSecondStep(
  ctx: GenericEndpointContext,
  userId: string,
  { database, clock }: Services,
): Promise<void> {
  const forgetful = Object(ctx.body)['rememberMe'] === false;
  const secret = await issueSecret(
    'second-factor',
    { userId, forgetful },
    clock(),
    database.prisma,
  );
  const cookie = cookieFor(ctx);
  await ctx.setSignedCookie(cookie.name, secret, ctx.context.secret, cookie.attributes);
}

/** What better-auth's calls stop with where a session needs a second factor first. */
export const needsSecondFactor = () =>
  new APIError('FORBIDDEN', {
    code: secondFactorNeeded,
    message: 'Please show your second factor',
  });

/**
 * Whose sign-in waits in this browser for the second factor. `finish` ends it: of several requests
 * only one may go on.
 */
export async function readPendingSignIn(
  ctx: GenericEndpointContext,
  { database, clock }: Services,
) {
  const cookie = cookieFor(ctx);
  const secret = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  const found = secret
    ? await readSecret('second-factor', secret, clock(), database.prisma)
    : undefined;
  if (!secret || found === undefined) return undefined;
  const finish = async () => {
    if (!(await spendSecret('second-factor', secret, database.prisma))) throw signInExpired();
    ctx.setCookie(cookie.name, '', { ...cookie.attributes, maxAge: 0 });
  };
  return { ...pending.parse(JSON.parse(found)), finish };
}

export const signInExpired = () =>
  new AppError(
    'UNAUTHENTICATED',
    'This sign-in took too long or is finished. Please sign in again',
    'SIGN_IN_EXPIRED',
  );
